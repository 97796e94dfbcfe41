/** A label printer of the network gets each label whole and once; where that is not certain, the adapter says so. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PrinterRefused, PrinterUnavailable, PrintOutcomeUnknown, type PrintRequest } from './printer.ts'
import { type FakeRawPrinter, fakeRawPrinter } from './raw9100.fake.ts'
import { rawAddress, rawPrinters } from './raw9100.ts'

let printer: FakeRawPrinter
const signal = AbortSignal.timeout(120_000)
beforeEach(async () => {
  printer = await fakeRawPrinter(9103)
})
afterEach(() => printer.stop())

const here = '127.0.0.1:9103'
const label = (more: Partial<PrintRequest> = {}): PrintRequest => ({
  remote_id: here,
  title: 'Label 1:1023',
  content: new TextEncoder().encode('^XA^FO10,10^FDÆble^FS^XZ\n'),
  format: 'zpl',
  idempotency_key: 'label:77:1',
  expire_after_s: 600,
  paper: null,
  copies: 1,
  ...more,
})
const adapter = (more: Partial<Parameters<typeof rawPrinters>[0]> = {}) =>
  rawPrinters({
    printers: [{ remote_id: here, name: 'Zebra' }],
    resolve: async host => host,
    connectLimit: 2_000,
    writeLimit: 1_500,
    ...more,
  })

it('gets the label, and as many copies as asked for', async () => {
  await adapter().print(label({ copies: 2 }), signal)
  expect(printer.printed()).toEqual(['^XA^FO10,10^FDÆble^FS^XZ\n^XA^FO10,10^FDÆble^FS^XZ\n'])
})

it('gets a label of a megabyte whole, and labels of one process one after the other', async () => {
  const content = new TextEncoder().encode(`^XA^FX${'x'.repeat(1_000_000)}^FS^XZ`)
  await Promise.all(Array.from({ length: 4 }, () => adapter({ writeLimit: 20_000 }).print(label({ content }), signal)))
  expect(printer.printed().map(text => text.length)).toEqual(Array(4).fill(content.length))
})

it('is on line when it takes a connection', async () => {
  expect(await adapter().printers(signal)).toEqual([
    { remote_id: here, name: 'Zebra', description: 'ZPL', computer: here, state: 'online', papers: {}, raw: true },
  ])
  expect((await adapter({ printers: [{ remote_id: '127.0.0.1:9109', name: 'Off' }] }).printers(signal))[0]?.state).toBe('offline')
  expect(printer.printed()).toEqual([])
})

it('takes no PDF', async () => {
  await expect(adapter().print(label({ format: 'pdf' }), signal)).rejects.toThrow(
    new PrinterRefused('This printer takes ZPL only. Print PDF documents on another printer.'),
  )
})

it('may be asked again when it takes no connection: nothing was sent', async () => {
  await expect(adapter().print(label({ remote_id: '127.0.0.1:9109' }), signal)).rejects.toThrow(PrinterUnavailable)
  const nameless = adapter({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(nameless.print(label(), signal)).rejects.toThrow(PrinterUnavailable)
})

it.each(['resets', 'hangs', 'waits'] as const)('leaves open what came out when the printer %s', async mood => {
  printer.behave(mood)
  await expect(adapter().print(label(), signal)).rejects.toThrow(PrintOutcomeUnknown)
})

it('is not reached where its address may not be, nor on other ports', async () => {
  const forbidden = adapter({ resolve: () => Promise.reject(new PrinterRefused('The address is private')) })
  await expect(forbidden.print(label(), signal)).rejects.toThrow('The address is private')
  for (const remote_id of ['127.0.0.1:22', '127.0.0.1', '::1:9100', 'a b:9100:9100', ''])
    await expect(adapter().print(label({ remote_id }), signal)).rejects.toThrow('This is no address of a label printer')
})

it('has an address with its port', () => {
  expect(rawAddress('Zebra.Example', 9100)).toBe('zebra.example:9100')
  expect(rawAddress('fd00::5', 9100)).toBe('[fd00::5]:9100')
})
