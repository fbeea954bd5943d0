/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs that write archives by hand ask of the library. */
#ifndef TESTS_TRACES_MKCHECKED_H
#define TESTS_TRACES_MKCHECKED_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <otf2/otf2.h>

/* Ends the program, with the reason, when a call of the library failed. */
static inline void must(OTF2_ErrorCode code)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "%s: error: %s\n", program_invocation_short_name,
		OTF2_Error_GetDescription(code));
	exit(1);
}

/* What is full is written. */
static inline OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
					  void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

/* An archive in this folder, ready for events: those of another recorder. */
static inline OTF2_Archive *begin_archive(const char *folder, const char *creator)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = before_flush};
	OTF2_Archive *archive =
		OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
				  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	if (!archive)
		exit(1);
	must(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
	must(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	must(OTF2_Archive_SetCreator(archive, creator));
	must(OTF2_Archive_OpenEvtFiles(archive));
	return archive;
}

#endif
