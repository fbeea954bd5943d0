/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences around the figures of a machine file: what they are and how far they go. */
#ifndef REPORT_MACHINE_NOTES_H
#define REPORT_MACHINE_NOTES_H

#include <jansson.h>
#include <stdio.h>

/* Before all figures: of a busy machine's, that they mean nothing. */
void machine_notes_head(const json_t *machine, FILE *out);

/* What letters and intervals mean, and what of those was not measured but assumed. */
void machine_notes_key(const json_t *machine, FILE *out);

/* What speaks against the figures. */
void machine_notes_conditions(const json_t *machine, FILE *out);

/* Is the name in this list of the file's, as a way's "unidentified"? */
int machine_notes_have(const json_t *names, const char *name);

/* Why a way's parameter of this name is not identified, on lines of its own; nothing if it is. */
void machine_notes_why(const json_t *way, const char *name, FILE *out);

/* Last: where the file is and what to do next. No report should use a busy machine's. */
void machine_notes_next(const json_t *machine, const char *path, FILE *out);

#endif
