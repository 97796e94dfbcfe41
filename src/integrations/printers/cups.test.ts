/** CUPS gets a document once, as it is, and says what became of it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FakeCups, fakeCups } from './cups.fake.ts'
import { cups, hasCups } from './cups.ts'
import { PrinterRefused, PrinterUnavailable, PrintOutcomeUnknown, type PrintRequest } from './printer.ts'
import { testPrintZpl } from './test-print.ts'

let fake: FakeCups
const signal = AbortSignal.timeout(120_000)
beforeEach(async () => {
  fake = await fakeCups()
})
afterEach(() => fake.remove())

const zpl = testPrintZpl({ number: 7, printer: 'Zebra', time: '', at: new Date() })
const label = (more: Partial<PrintRequest> = {}): PrintRequest => ({
  remote_id: 'Zebra_ZD420',
  title: 'Label 1:1023',
  content: zpl,
  format: 'zpl',
  idempotency_key: 'label:77:1',
  expire_after_s: 600,
  paper: null,
  copies: 1,
  ...more,
})
const adapter = (patience = 20_000) => cups({ path: fake.path, patience })

it('exists where `lp` does', async () => {
  expect(await hasCups(fake.path)).toBe(true)
  expect(await hasCups('/nowhere')).toBe(false)
  await expect(cups({ path: '/nowhere' }).printers(signal)).rejects.toThrow('CUPS is not installed on this computer')
})

it('lists the queues with driver, papers in millimetres, language and state', async () => {
  await fake.disable('Office')
  expect(await adapter().printers(signal)).toEqual([
    {
      remote_id: 'Office',
      name: 'Office',
      description: 'Bench 1 · HP LaserJet M404',
      computer: '',
      state: 'offline',
      papers: { A4: [210, 297], A5: [148, 210], Letter: [215.9, 279.4] },
      raw: false,
    },
    {
      remote_id: 'Zebra_ZD420',
      name: 'Zebra_ZD420',
      description: 'Bench 1 · Zebra ZPL Label Printer',
      computer: '',
      state: 'online',
      papers: { w288h432: [101.6, 152.4], w283h425: [99.8, 149.9], '4x6': [101.6, 152.4], 'Custom.100x150mm': [100, 150] },
      raw: true,
    },
  ])
})

it('gets ZPL raw, and PDF unscaled on the paper that was asked for', async () => {
  const { remote_job_id } = await adapter().print(label({ title: "-o raw'; rm\n-rf $(id)", copies: 2 }), signal)
  const pdf = new TextEncoder().encode('%PDF-1.7')
  await adapter().print(label({ remote_id: 'Office', format: 'pdf', content: pdf, paper: 'A4' }), signal)
  const [first, second] = await fake.jobs()
  expect(remote_job_id).toBe('Zebra_ZD420-1')
  expect(first).toMatchObject({ id: 'Zebra_ZD420-1', args: ['-d', 'Zebra_ZD420', '-n', '2', '-t', "-o raw'; rm -rf $(id)", '-o', 'raw'] })
  expect(first?.content.equals(Buffer.from(zpl))).toBe(true)
  expect(second?.args.slice(-4)).toEqual(['-o', 'print-scaling=none', '-o', 'media=A4'])
})

it('follows a job: at the printer, waiting for a printer that is off, and ended', async () => {
  const printer = adapter()
  const { remote_job_id } = await printer.print(label(), signal)
  expect(await printer.state(remote_job_id, signal)).toEqual({ state: 'accepted', message: null })
  await fake.disable('Zebra_ZD420')
  expect(await printer.state(remote_job_id, signal)).toEqual({ state: 'sent', message: 'Unplugged or turned off' })
  await fake.enable('Zebra_ZD420')
  await fake.printAll()
  expect(await printer.state(remote_job_id, signal)).toEqual({ state: 'done', message: null })
  expect(await printer.cancel(remote_job_id, signal)).toBe(false)
  await expect(printer.state('Zebra_ZD420-99', signal)).rejects.toThrow(PrinterRefused)
})

it('takes a waiting job back', async () => {
  const printer = adapter()
  const { remote_job_id } = await printer.print(label(), signal)
  expect(await printer.cancel(remote_job_id, signal)).toBe(true)
  expect(await printer.state(remote_job_id, signal)).toEqual({ state: 'cancelled', message: null })
})

it('may be asked again when the scheduler is down or the queue takes no jobs: nothing was submitted', async () => {
  for (const mood of ['down', 'rejecting'] as const) {
    await fake.behave(mood)
    await expect(adapter().print(label(), signal), mood).rejects.toThrow(PrinterUnavailable)
  }
  expect(await fake.jobs()).toEqual([])
})

it('refuses a queue that does not exist, or whose name is an option', async () => {
  await expect(adapter().print(label({ remote_id: 'Removed' }), signal)).rejects.toThrow(
    'CUPS refuses: The printer or class does not exist.',
  )
  for (const remote_id of ['-h', 'a b', 'a/b', ''])
    await expect(adapter().print(label({ remote_id }), signal)).rejects.toThrow('CUPS does not know this printer')
})

it('leaves open what happened when `lp` does not answer, or answers without an id', async () => {
  await fake.behave('hangs')
  await expect(adapter(1_500).print(label(), signal)).rejects.toThrow(PrintOutcomeUnknown)
  await fake.behave('strange')
  await expect(adapter().print(label(), signal)).rejects.toThrow(PrintOutcomeUnknown)
})
