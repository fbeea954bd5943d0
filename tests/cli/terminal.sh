# SPDX-License-Identifier: GPL-3.0-or-later
# On a terminal what failed keeps to its width; elsewhere it is one line, for grep.
command -v script >/dev/null || { echo "no script: Debian package bsdutils"; exit 77; }
PATH=$builddir:$PATH
contend model logp L=1 nonsense-that-is-quite-long=12345678901234567890 2>&1
script -qec "contend model logp L=1 nonsense-that-is-quite-long=12345678901234567890" /dev/null \
	</dev/null | tr -d '\r'
