# SPDX-License-Identifier: GPL-3.0-or-later
# Without a hotspot the report says so, and what dominates.
LC_ALL=C exec "$builddir/contend" report --width=80 "$srcdir/tests/cli/order-random.json"
