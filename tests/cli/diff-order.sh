# SPDX-License-Identifier: GPL-3.0-or-later
# Random order is faster: no regression.
cd "$srcdir/tests/cli" || exit 99
LC_ALL=C exec "$builddir/contend" diff --width=80 order-original.json order-random.json
