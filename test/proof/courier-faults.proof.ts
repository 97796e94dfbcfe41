/** 10,000 parcels over all couriers, three bookings of ten with a fault: none is doubled, and none is lost. */
import { expect, it } from 'vitest'
import { type FaultRow, runFaults } from '../courier-faults.ts'
import { courierTable } from '../courier-table.ts'

const numbers = ['parcels', 'faults', 'booked', 'refused', 'unknown', 'doubled', 'lost'] as const

it('doubles and loses no parcel', async () => {
  const amount = Number(process.env.PROOF_AMOUNT ?? 10_000)
  const seed = Number(process.env.PROOF_SEED ?? 1)
  const rows = await runFaults({ parcels: Math.ceil(amount / Object.keys(courierTable).length), share: 0.3, seed })
  const sum = (name: (typeof numbers)[number]) => rows.reduce((total, row) => total + row[name], 0)
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const cells = (row: FaultRow) => [row.courier, ...numbers.map(name => row[name])]
  console.info(
    [
      line(['Courier', ...numbers]),
      line(['---', ...numbers.map(() => '---:')]),
      ...rows.map(row => line(cells(row))),
      line(['all', ...numbers.map(sum)]),
    ].join('\n'),
  )
  expect({ doubled: sum('doubled'), lost: sum('lost') }).toEqual({ doubled: 0, lost: 0 })
  expect(sum('booked') + sum('refused') + sum('unknown')).toBe(sum('parcels'))
})
