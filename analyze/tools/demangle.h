/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C++ names as people write them. The C++ runtime knows how; it is asked where it is
 * installed (a C++ program's machine has it), and names stay as they are elsewhere.
 */
#ifndef ANALYZE_DEMANGLE_H
#define ANALYZE_DEMANGLE_H

/*
 * "LAMMPS_NS::Comm::exchange" of "_ZN9LAMMPS_NS4Comm8exchangeEv": without parameters;
 * "solver::step" of gfortran's "__solver_MOD_step". A copy of any other name. Caller frees; NULL:
 * no memory.
 */
char *demangle(const char *name);

#endif
