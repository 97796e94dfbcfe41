/** Compares the table of faults with the files that it names and with docs/proof.md. */
import { existsSync, readFileSync } from 'node:fs'
import { faultRows, faultTable, problemsOfFaults } from './faults.ts'

export function checkFaults(): string[] {
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  const problems = problemsOfFaults(faultRows, read)
  if (!read('docs/proof.md')?.includes(faultTable(faultRows)))
    problems.push('docs/proof.md does not print the table of test/proof/faults.ts')
  return problems
}
