/** Workbooks that are written as a stream. */
import readWorkbook from 'read-excel-file/universal'
import { expect, it } from 'vitest'
import { collect } from '#platform/files/content.ts'
import { type SheetCell, workbookStream } from './workbook-stream.ts'

it('is read back as it was written, formulas as text, without what XML cannot hold', async () => {
  async function* batches(): AsyncGenerator<SheetCell[][]> {
    yield [['=1+1', 12.5, null]]
    yield [['<b> & "ü"\u0001', -3, '+45 12']]
  }
  const bytes = await collect(workbookStream('Orders', ['a', 'b', 'c'], batches()))
  const [sheet] = await readWorkbook(new Blob([new Uint8Array(bytes)]))
  expect(sheet?.data).toEqual([
    ['a', 'b', 'c'],
    ['=1+1', 12.5, null],
    ['<b> & "ü"', -3, '+45 12'],
  ])
})
