# SPDX-License-Identifier: GPL-3.0-or-later
# The other way round it is a regression: exit status 3.
cd "$srcdir/tests/cli" || exit 99
LC_ALL=C exec "$builddir/contend" diff --width=80 order-random.json order-original.json
