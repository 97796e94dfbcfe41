/** A warehouse for the decision table of the packing station: products, rules and boxes, orders of them, and what scans of theirs are answered. */
import { randomUUID } from 'node:crypto'
import { buildOrder, buildProduct, scopeOfCompany } from '../src/app/demo/builders.ts'
import { readCode } from '../src/domain/codes.ts'
import { crateRules } from '../src/features/catalog/crates/crate-rules.contract.ts'
import { crateTypes } from '../src/features/catalog/crates/crate-types.contract.ts'
import { credentials } from '../src/features/company/users/credentials.contract.ts'
import { additionalProducts } from '../src/features/orders/additional-products/additional-products.contract.ts'
import { approvalRules } from '../src/features/packing/approval/approval.contract.ts'
import { packing } from '../src/features/packing/packing/packing.contract.ts'
import type { PackingOrder, ScanAnswer } from '../src/features/packing/packing/packing.schemas.ts'
import { serialNumbers } from '../src/features/packing/serial-numbers/serial-numbers.contract.ts'
import { serialUnits } from '../src/features/packing/serial-numbers/serial-units.contract.ts'
import {
  type Effect,
  initialState,
  type PackingState,
  type Situation,
  type StationEvent,
} from '../src/features/packing/station/packing-model.rules.ts'
import { reduce } from '../src/features/packing/station/packing-state.rules.ts'
import { printers } from '../src/features/printing/printers/printers.contract.ts'
import { labels } from '../src/features/shipping/labels/labels.contract.ts'
import { sender } from './sender.ts'
import type { TestApp, TestUser } from './test-app.ts'

type Values = Record<string, string | number | null>
const sentence = (text: string, values: Values = {}) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

/** The answers to these codes, one after the other. */
export async function each(codes: readonly string[], scan: (code: string) => Promise<string>): Promise<string[]> {
  const answers: string[] = []
  for (const code of codes) answers.push(await scan(code))
  return answers
}

/** An answer in one line: `ok 1`, or `over 0: Too many of Cup …` where the sentence matters. */
export const brief = ({ result, counted }: ScanAnswer): string => `${result} ${counted}`
export const said = (answer: ScanAnswer): string => `${brief(answer)}: ${sentence(answer.text, answer.values)}`

/** The code and sentence of a refusal. */
export const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'not refused',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  )

const line = (field: string, op: string, value: unknown) => ({ v: 1 as const, all: [{ lines: 'some', match: { field, op, value } }] })

export async function openTable(testApp: TestApp) {
  const operator = await testApp.operator({ shops: 1, settings: { sender, weigh_parcels: 'scale', packaging_weight_g: 200 } })
  const { main, shops } = operator
  const [shop] = shops
  if (!shop) throw new Error('The warehouse packs for no shop')
  const scope = { ...scopeOfCompany(operator), companies: [main.id] }
  const boss = await operator.hire(['admin'], main, 'Astrid')
  const kim = await operator.hire(['scan'], main, 'Kim')
  const jonas = await operator.hire(['scan_admin', 'parcels_admin'], main, 'Jonas')
  const { printers: known } = await boss.send(printers.list, {})
  const label_printer_id = known.find(one => one.paper === 'label')?.id ?? null

  const products = [
    { sku: 'CUP', name: 'Cup', barcodes: ['CUP-1', { barcode: 'CUP-6', quantity: 6 }] },
    { sku: 'HAT', name: 'Hat', barcodes: ['HAT-1'] },
    { sku: 'LEFT', name: 'Left glove', barcodes: ['GLOVE'] },
    { sku: 'RIGHT', name: 'Right glove', barcodes: ['GLOVE'] },
    { sku: 'VASE', name: 'Vase', barcodes: ['VASE-1'] },
    { sku: 'GLOBE', name: 'Globe', barcodes: ['GLOBE-1'] },
    { sku: 'CARD', name: 'Card', barcodes: ['CARD-1'] },
    { sku: 'LAMP', name: 'Lamp', serial_required: true, barcodes: ['02100000000142', { barcode: 'LAMP-6', quantity: 6 }] },
    { sku: 'LENS', name: 'Lens', serial_required: true, barcodes: ['LENS-1'] },
  ]
  for (const product of products) await buildProduct(testApp.services, scope, { weight_g: 300, ...product })
  const ofShop = { ...scopeOfCompany(operator, shop), companies: [shop.id] }
  await buildProduct(testApp.services, ofShop, { sku: 'SOCK', name: 'Sock', barcodes: ['SOCK-1'] })
  // Serial numbers of a lamp begin with L; a lens takes some of them as well.
  await boss.send(serialNumbers.update, { regex: 'L[0-9]{3}', barcode: 'LAMP', scope: 'product' })
  await boss.send(serialNumbers.update, { regex: '[LM]9[0-9]{2}', barcode: 'LENS', scope: 'product' })
  const pack = ['L701', 'L702', 'L703'].map(serial => ({ sku: 'LAMP', serial, pack_code: 'BOX-7' }))
  await boss.send(serialUnits.write, { body: { units: [...pack, { sku: 'LENS', serial: 'L901' }, { sku: 'LAMP', serial: 'L711' }] } })
  const approval = { methods: ['badge' as const], approver_codes: ['scan_admin' as const] }
  const rules = [
    { ...approval, name: 'Vases', subject: 'line' as const, conditions: line('line.sku', 'eq', 'VASE') },
    { ...approval, name: 'Globes', subject: 'order' as const, conditions: line('line.sku', 'eq', 'GLOBE') },
  ]
  const ruleIds: Record<string, number> = {}
  for (const body of rules) ruleIds[body.name] = (await boss.send(approvalRules.set, { body })).id
  const added = { conditions: line('line.sku', 'eq', 'CARD') }
  await boss.send(additionalProducts.create, { body: { ...added, name: 'Sample', handling: 'scan', barcode: 'SAMPLE-1' } })
  await boss.send(additionalProducts.create, { body: { ...added, name: 'Flyer', handling: 'show', barcode: 'L666' } })
  const box = { tare_g: 100, max_g: 20_000, cost: 200, currency: 'DKK' }
  for (const [code, more] of [
    ['S', {}],
    ['L', {}],
    ['OFF', { active: false }],
    ['BRING', {}],
    ['NOHAT', {}],
  ] as const) {
    const { id } = await boss.send(crateTypes.create, {
      body: {
        ...{
          ...box,
          ...more,
          barcode: code === 'S' ? 'L555' : null,
          name: `Box ${code}`,
          code,
          agent_codes: code === 'BRING' ? ['bring'] : null,
        },
        ...{ inner_mm: [300, 200, 100], outer_mm: [310, 210, 110] },
      },
    })
    if (code === 'NOHAT') await boss.send(crateRules.set, { id, sku: 'HAT', body: { kind: 'must_not' } })
  }
  await testApp.services.database.transaction(scope, db =>
    db
      .insertInto('shipping_methods')
      .values([
        { agent_code: 'own', shipping_method: 'van', name: 'Van' },
        { agent_code: 'own', shipping_method: 'pickup', name: 'Checked', check_tracking_and_trace: true },
      ])
      .execute(),
  )

  /** An order of these products, ready to be packed; parts of a bundle follow its own line. */
  async function place(plan: Record<string, number>, shipping_method = 'van') {
    const bundled = 'KIT' in plan
    const items = Object.entries(plan).map(([key, qty], at) => ({ sku: key.replace(/ again$/, ''), qty, at: at + 1 }))
    const built = await buildOrder(testApp.services, scope, {
      external_id: randomUUID(),
      lines: items.map(({ sku, qty, at }) => ({
        ...{ external_id: `${at}`, sku, name: products.find(one => one.sku === sku)?.name ?? sku, qty: `${qty}`, weight_g: 300 },
        ...{ unit_price_excl_vat: '80.00', vat_percent: '25' },
        ...(bundled && (sku === 'KIT' ? { requires_shipping: false } : { bundle_of: '1' })),
      })),
    })
    await testApp.services.database.transaction(scope, db =>
      db.updateTable('orders').set({ agent_code: 'own', shipping_method }).where('id', '=', built.id).execute(),
    )
    return built
  }

  /** The same order, open at Kim's station. */
  async function open(plan: Record<string, number>, shipping_method?: string) {
    const placed = await place(plan, shipping_method)
    await kim.send(packing.start, { id: placed.id, body: { station: 'Bench 1' } })
    return at(placed)
  }
  function at({ id, order_no, line_ids }: { id: number; order_no: string; line_ids: number[] }, who = kim) {
    const [first = 0] = line_ids
    const scan = (code: string, more: { serial_for?: number; line_id?: number; scan_id?: string } = {}) =>
      who.send(packing.scan, { id, body: { scan_id: randomUUID(), code, ...more } })
    return {
      ...{ id, order_no, line_ids, first, code: `${main.id}:${id}`, scan },
      /** The code answers the question for a serial number of the first line. */
      serial: (code: string) => scan(code, { serial_for: first }),
      brief: async (code: string) => brief(await scan(code)),
      said: async (code: string) => said(await scan(code)),
      undo: () => who.send(packing.undo, { id, body: { scan_id: randomUUID() } }),
      next: () => who.send(packing.nextParcel, { id, body: { label_printer_id, scan_id: randomUUID() } }),
      close: (more: object = {}) => who.send(packing.close, { id, body: { label_printer_id, ...more } }),
      weigh: async (weight_g: number) => said(await who.send(packing.weigh, { id, body: { scan_id: randomUUID(), weight_g } })),
      read: () => who.send(packing.get, { id }),
      screen: async () => screenOf(await who.send(packing.get, { id }), who),
    }
  }

  /** The station's screen with an order open: what it does with a scan before the server hears of it. */
  function screenOf(order: PackingOrder, who: TestUser) {
    const situation: Situation = {
      now: 1_000_000,
      user: { user_id: who.user_id, permissions: ['scan'] },
      station: order.session?.station ?? '',
      hasLabelPrinter: true,
    }
    let state: PackingState = initialState
    const feed = (event: StationEvent): readonly Effect[] => {
      const step = reduce(state, event, situation)
      state = step.state
      return step.effects
    }
    const answer = (effects: readonly Effect[], name: string, given: unknown) => {
      const asked = effects.findLast(effect => effect.type === 'call' && effect.name === name)
      if (asked?.type !== 'call') return []
      return feed({ type: 'answered', name: asked.name, input: asked.input, turn: asked.turn, answer: given } as StationEvent)
    }
    answer(feed({ type: 'open', order_id: order.order_id }), 'start', order)
    return {
      feed,
      /** Calls, scans for the server and dialogs that a scan leads to, with the sentence on the screen. */
      async scan(text: string): Promise<string> {
        const before = state
        const effects = [...feed({ type: 'scan', code: readCode(text), method: 'scan' })]
        if (effects.some(effect => effect.type === 'call' && effect.name === 'find'))
          effects.push(...answer(effects, 'find', await who.send(packing.find, { code: text })))
        const did = effects.flatMap(effect =>
          effect.type === 'call' && effect.name !== 'find' ? [effect.name] : effect.type === 'enqueue' ? [effect.action.kind] : [],
        )
        const message = state.message !== before.message && state.message ? sentence(state.message.text, state.message.values) : ''
        const tones = effects.flatMap(effect => (effect.type === 'play' ? [effect.tone] : []))
        const shows = state.dialog !== before.dialog && state.dialog ? `asks ${state.dialog}` : state.hidden ? 'hidden' : ''
        return [...did, shows, message].filter(Boolean).join(', ') || tones.join(' ')
      },
    }
  }

  /** A packed order of one hat, and the number on its label. */
  async function packed(method?: string) {
    const order = await open({ HAT: 1 }, method)
    await order.scan('HAT-1')
    const { parcels, session_id } = await order.close()
    return { ...order, number: parcels[0]?.tracking_no ?? '', session_id }
  }
  async function cancelled() {
    const order = await packed()
    await boss.send(labels.cancel, { agent_code: 'own', barcode: order.number })
    return order
  }
  async function checkLabel(session: number | null, barcode: string): Promise<string> {
    const { ok, text, values } = await kim.send(packing.checkLabel, { order_overview_id: session ?? 0, barcode })
    return `${ok}: ${sentence(text, values)}`
  }
  /** Asked for by Kim, approved by Jonas with a badge. */
  async function approve(order_id: number, rule: string, line_id: number | null) {
    const { code: badge } = await boss.send(credentials.makeBadge, { id: jonas.user_id })
    return kim.send(packing.ask, { body: { order_id, rule_id: ruleIds[rule] ?? 0, line_id, method: 'badge', badge } })
  }

  return { operator, boss, kim, jonas, shop, scope, ruleIds, place, open, at, packed, cancelled, checkLabel, approve }
}
