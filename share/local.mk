# SPDX-License-Identifier: GPL-3.0-or-later
# share/: data that is installed: the document's schema, machines, examples.

machinesdir = $(pkgdatadir)/machines
dist_machines_DATA = share/machines/alewife.json

examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = \
	share/examples/README \
	share/examples/example.h share/examples/example_serve.h \
	share/examples/alltoall.c \
	share/examples/diamond.c \
	share/examples/em3d.c share/examples/em3d_options.h \
	share/examples/remap.c \
	share/examples/spmv.c \
	share/examples/stencil.c \
	share/examples/sweep.c \
	share/examples/workpile.c

EXTRA_DIST += share/demo share/manual

dist_pkgdata_DATA += share/contend.schema.json share/contend-machine.schema.json \
	share/contend-drift.schema.json share/contend-diff.schema.json

# Where the folders are only make knows.
noinst_DATA = share/modulefile
share/modulefile: $(srcdir)/share/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) share && sed -e 's,[@]datadir[@],$(datadir),g' -e 's,[@]bindir[@],$(bindir),' \
		-e 's,[@]mandir[@],$(mandir),' -e 's,[@]VERSION[@],$(VERSION),g' \
		$(srcdir)/share/modulefile.in >$@.tmp && mv $@.tmp $@
CLEANFILES += share/modulefile

# Both under another name.
completiondir = $(datadir)/bash-completion/completions
modulefiledir = $(datadir)/modulefiles/contend
install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)' '$(DESTDIR)$(modulefiledir)'
	$(INSTALL_DATA) $(srcdir)/share/contend.bash '$(DESTDIR)$(completiondir)/contend'
	$(INSTALL_DATA) share/modulefile '$(DESTDIR)$(modulefiledir)/$(VERSION)'

uninstall-hook:
	rm -f '$(DESTDIR)$(completiondir)/contend' '$(DESTDIR)$(modulefiledir)/$(VERSION)'
EXTRA_DIST += share/contend.bash share/modulefile.in
