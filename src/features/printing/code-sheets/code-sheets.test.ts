/** What is on a sheet can be scanned, and nothing of a stranger's order is on it. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { commands, readCode } from '#domain/codes.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { codeSheets } from './code-sheets.contract.ts'
import type { CodeSheet } from './code-sheets.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let worker: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  worker = await operator.hire(['scan'])
})
afterAll(() => testApp.close())

async function order(order_no: string, company: BuiltCompany = operator.main): Promise<string> {
  const id = await testApp.services.database.transaction(scopeOfCompany(operator, company), async db => {
    const { id } = await db
      .insertInto('orders')
      .values({
        external_id: order_no,
        order_no,
        customer_name: 'Lene Hansen',
        ordered_at: new Date().toISOString(),
        currency: 'DKK',
        ship_to: '{}',
        ship_country: 'DK',
        fingerprint: createHash('sha256').update(order_no).digest(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
  return `${company.id}:${id}`
}

const draw = async (sheet: Partial<CodeSheet>, by = worker) => {
  const file = (await by.send(codeSheets.draw, { body: sheet as CodeSheet })) as unknown as { bytes: Buffer; media_type: string }
  return new Uint8Array(file.bytes)
}
const all = commands.map(command => ({ command, caption: `Do ${command}`, note: 'Scan it' }))

describe('a code sheet', () => {
  it('holds every command so that a scanner reads it', async () => {
    const pdf = await draw({ commands: all })
    const read = await readLabel(pdf, 300)
    expect(read.map(code => code.text).sort()).toEqual(commands.map(command => `CMD:${command}`).sort())
    expect(read.every(code => readCode(code.text).kind === 'command')).toBe(true)
    expect((await readText(pdf)).join(' ')).toContain('Do EXCEPTION')
  })

  it.each(['code128', 'qr'] as const)('holds orders by number and by code, as %s', async orders_as => {
    const [a, b] = [await order(`1001-${orders_as}`), await order(`1002-${orders_as}`)]
    const pdf = await draw({ orders: [`1001-${orders_as}`, b, `#1001-${orders_as}`], orders_as })
    const read = await readLabel(pdf, 300)
    expect(read.map(code => code.text).sort()).toEqual([a, b].sort())
    expect(read.every(code => code.format === (orders_as === 'qr' ? 'QRCode' : 'Code128'))).toBe(true)
  })

  it('goes over several pages', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, (_, i) => order(`P-${i}`)))
    expect((await readLabel(await draw({ commands: all, orders }), 200)).length).toBe(20 + all.length)
  })

  it('is printed on the A4 printer', async () => {
    const a4 = (await worker.send(printers.list, {})).printers.find(one => one.paper === 'a4')!
    const job = await worker.send(codeSheets.print, { printer_id: a4.id, body: { commands: all } })
    expect(job).toMatchObject({ state: 'done', document: 'sheet', format: 'pdf' })
  })

  it('says which order it does not know, also when it is another company’s', async () => {
    const foreign = await order('S-1', operator.shops[0])
    const other = await (await testApp.operator()).hire(['scan'])
    await expect(draw({ orders: [foreign] }, other)).rejects.toMatchObject({ status: 404, message: `There is no order ${foreign}` })
    const shop = await operator.hire(['parcels'], operator.shops[0])
    expect((await readLabel(await draw({ orders: ['S-1'] }, shop), 300))[0]?.text).toBe(foreign)
    await order('Main-1')
    await expect(draw({ orders: ['Main-1'] }, shop)).rejects.toMatchObject({ status: 404 })
  })

  it('asks for the order code when a number is not enough', async () => {
    await order('Twin')
    await order('Twin', operator.shops[0])
    await expect(draw({ orders: ['Twin'] })).rejects.toMatchObject({ status: 409 })
  })

  it('is refused without any code', async () => {
    await expect(draw({})).rejects.toMatchObject({ status: 400 })
    expect((await (await operator.hire(['statistics'])).ask(codeSheets.draw, { body: { commands: all } })).statusCode).toBe(403)
  })
})
