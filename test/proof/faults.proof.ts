/** The table of faults: no fault without a row, no row that names what does not exist, and docs/proof.md prints it as it is. */
import { expect, it } from 'vitest'
import { faultRows } from './faults.ts'
import { checkFaults } from './faults-check.ts'

it('name what exists', () => {
  const problems = checkFaults()
  const run = faultRows.filter(row => row.run && row.last).length
  console.info(`faults: ${run} of ${faultRows.length} variants are run; ${problems.length} mistakes in the table`)
  expect(problems).toEqual([])
})
