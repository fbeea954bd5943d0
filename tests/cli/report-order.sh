# SPDX-License-Identifier: GPL-3.0-or-later
# The report of a run with an order hotspot, as the manual shows it.
LC_ALL=C exec "$builddir/contend" report --width=80 "$srcdir/tests/cli/order-original.json"
