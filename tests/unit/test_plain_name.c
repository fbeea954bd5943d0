/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plain_name.h"
#include "tests/fixtures/suite.h"

#include <string.h>

static void test_plain_name_without_types_and_arguments(void)
{
	static const char *const rows[][2] = {
		{"main", "main"},
		{"meep::fields::step", "meep::fields::step"},
		{"void ddSendrecv<gmx::BasicVector<float> >", "ddSendrecv"},
		{"unsigned long a::b<int, char>::c<d>", "a::b::c"},
		{"std::vector<int>& f<int>", "f"},
		{"a::operator<<", "a::operator<<"},
		{"bool a::operator< <int>", "a::operator<"},
		{"std::ostream& operator<< <char>", "operator<<"},
		{"a<int>::operator()", "a::operator()"},
		{"a<int>::operator->", "a::operator->"},
		{"a::operator bool", "a::operator bool"},
		{"my_operator<int>", "my_operator"},
		{"void a::(anonymous namespace)::f<int>", "a::(anonymous namespace)::f"},
		{"(anonymous namespace)::f", "(anonymous namespace)::f"},
		{"a::f(int, char*) const", "a::f(int, char*) const"},
		{"f<void (*)(int)>", "f"},
		{"<a::B as c::D>::next", "<a::B as c::D>::next"},
		{"f<int", "f<int"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char name[80];

		CU_ASSERT_STRING_EQUAL(plain_name(rows[i][0], sizeof(name), name), rows[i][1]);
		if (strcmp(name, rows[i][1]) != 0)
			printf("    %s: %s\n", rows[i][0], name);
	}
}

static void test_plain_name_within_its_room(void)
{
	static const char *const names[] = {"abcdefgh", "void abcdefgh<int>", "operator<<<<<<<<"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t size = 1; size < 9; size++) {
			char name[10];

			memset(name, '#', sizeof(name));
			plain_name(names[i], size, name);
			CU_ASSERT(strlen(name) < size);
			CU_ASSERT_EQUAL(name[size], '#');
		}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_plain_name_without_types_and_arguments),
		SUITE_CASE(test_plain_name_within_its_room),
		CU_TEST_INFO_NULL,
	};

	return suite_run("plain_name", tests);
}
