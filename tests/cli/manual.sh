# SPDX-License-Identifier: GPL-3.0-or-later
# The manual page has every option of every verb, with its variable, and says where files are.
page=$builddir/contend.1
[ -f "$page" ] || { echo "no manual page was built: no help2man"; exit 77; }
contend=$builddir/contend

plain() # of the page: without the marks and line breaks that its formatter takes out
{
	sed -e '/^\.TP/d' -e 's/\\f[BIR]//g' -e 's/\\,//g' -e 's/\\\///g' -e 's/\\[%&]//g' \
		-e 's/\\-/-/g' "$page"
}
plain >page
for verb in $("$contend" --help | sed -n 's/^  .*contend \([a-z]*\)[ ].*/\1/p'); do
	sed -n "/^\.SH \"CONTEND $(echo "$verb" | tr a-z A-Z)\"/,/^\.SH/p" page >section
	"$contend" "$verb" --help >help
	missing=0
	for word in $(grep -o -- '--[a-z-]*' help) $(grep -o 'CONTEND_[A-Z_]*' help); do
		grep -q -e "$word" section || { echo "$verb: $word is missing"; missing=1; }
	done
	[ $missing -ne 0 ] || echo "$verb: all options"
done
grep -o 'XDG_CONFIG_HOME/contend/machine.json' page
for schema in "$srcdir"/share/*.schema.json; do
	grep -o "${schema##*/}" page || echo "no word of ${schema##*/}"
done
# What words mean is in it, too, and what the message table's columns are.
for topic in words columns; do
	CONTEND_WIDTH=400 "$contend" help $topic
done | sed -n 's/^  .*[^ ]   *\([^ ].*\)$/\1/p' | while read -r meaning; do
	grep -qxF -e "$meaning" page || echo "no word that means $meaning"
done
