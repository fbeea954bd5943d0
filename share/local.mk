# SPDX-License-Identifier: GPL-3.0-or-later
# share/: data that is installed: the document's schema, machines, examples.

machinesdir = $(pkgdatadir)/machines
dist_machines_DATA =

examplesdir = $(pkgdatadir)/examples
dist_examples_DATA =

dist_pkgdata_DATA += share/contend.schema.json
