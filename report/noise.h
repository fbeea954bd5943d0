/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of two runs' times is no difference: within the band, or of no matter. */
#ifndef REPORT_NOISE_H
#define REPORT_NOISE_H

/* A change under this share of the base's wall time matters to nobody. */
#define NOISE_SHARE 0.002

/* Relative change; a change from nothing is 0 or infinite. */
double noise_change(double base, double new);

/* noise: as share of base_s; wall_s: the base's. */
int noise_covers(double base_s, double new_s, double noise, double wall_s);

#endif
