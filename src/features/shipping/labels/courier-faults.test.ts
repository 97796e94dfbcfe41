/** Every courier that is asked over HTTP, while it fails: F6 of the faults that the program must stand. */
import { expect, it } from 'vitest'
import { runFaults } from '#test/courier-faults.ts'

it('doubles and loses no parcel, whichever courier fails', async () => {
  const rows = await runFaults({ parcels: 3, share: 0.5, seed: 7 })
  expect(rows.map(({ courier, doubled, lost }) => ({ courier, doubled, lost }))).toEqual(
    rows.map(({ courier }) => ({ courier, doubled: 0, lost: 0 })),
  )
  for (const { courier, parcels, booked, refused, unknown } of rows)
    expect([courier, booked + refused + unknown]).toEqual([courier, parcels])
  expect(rows.reduce((sum, row) => sum + row.faults, 0)).toBeGreaterThan(rows.length / 2)
  expect(rows.reduce((sum, row) => sum + row.booked, 0)).toBeGreaterThan(rows.length)
})
