# SPDX-License-Identifier: GPL-3.0-or-later
# The first screen, and every verb's own.
contend=$builddir/contend
"$contend" --help
"$contend" --version
for verb in record report diff info calibrate recover preload model; do
	"$contend" $verb --help || echo "exit $?"
done
CONTEND_WIDTH=80 "$contend" help words
CONTEND_WIDTH=80 "$contend" help columns
