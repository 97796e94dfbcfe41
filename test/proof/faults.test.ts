/** The table of faults is whole: `npm run proof -- faults` prints how much of it is run. */
import { describe, expect, it } from 'vitest'
import { faultRows, problemsOfFaults } from './faults.ts'
import { checkFaults } from './faults-check.ts'

describe('the table of faults', () => {
  it('has a row for each fault, names tests that exist, and stands in docs/proof.md', () => {
    expect(checkFaults()).toEqual([])
  })

  it('is refused without a row, and with a test that does not exist', () => {
    const [first] = faultRows
    const some = faultRows
      .filter(row => row.fault !== 'F7')
      .concat({ fault: 'F1', name: 'x', variant: 'y', run: { file: 'gone.ts', test: 'z' } })
    expect(problemsOfFaults(some, () => undefined)).toEqual(expect.arrayContaining(['F7 has no row', 'F1, y: there is no gone.ts']))
    expect(first && problemsOfFaults([first], () => 'another test')).toContain(
      `F1, ${first?.variant}: ${first?.run?.file} has no test “the packer asks again”`,
    )
  })
})
