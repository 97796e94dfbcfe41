/** What each scan at the packing station means, row by row: the first meaning from the top counts, and nothing else does. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { brief, each, openTable, refusal, said } from '#test/decision-table.ts'
import { buildPickList } from '#test/pick-list.ts'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { decodeKey, initialWedgeState, type Press, type WedgeState } from '#ui/scanner/keyboard-wedge.ts'
import { uncalibrated } from '#ui/scanner/scanner-profile.ts'

let testApp: TestApp
let table: Awaited<ReturnType<typeof openTable>>
beforeAll(async () => {
  testApp = await openTestApp()
  table = await openTable(testApp)
})
afterAll(() => testApp.close())

/** The answers of a scanner that sends a code twice, so many milliseconds apart. */
function twice(gap: number): string[] {
  const plain = {
    type: 'down',
    ctrl: false,
    alt: false,
    meta: false,
    shift: false,
    altGraph: false,
    repeat: false,
    isComposing: false,
  } as const
  const keys = [...'85123A'].map(key => ({ code: key === 'A' ? 'KeyA' : `Digit${key}`, key }))
  const presses = (at: number): Press[] =>
    [...keys, { code: 'Enter', key: 'Enter' }].map((key, n) => ({
      ...plain,
      ...key,
      shift: key.key === 'A',
      timeStamp: at + 2 * n,
      target: 'other',
    }))
  let burst: WedgeState = initialWedgeState
  return [...presses(0), ...presses(gap)].flatMap(press => {
    const step = decodeKey(burst, press, uncalibrated)
    burst = step.burst
    return step.decision.outcome ? [step.decision.outcome.kind] : []
  })
}

type Row = [sentence: string, act: () => Promise<unknown> | unknown, answers: unknown]
const rows: Row[] = [
  [
    '1 nothing, more than 256 characters and control characters are unknown, and the reader says why',
    async () => each([' ', 'X'.repeat(257), 'A\u0007B'], (await table.open({ CUP: 1 })).said),
    [
      'unknown 0: The scan was empty. Scan again.',
      'unknown 0: The code is too long: at most 256 characters are read.',
      'unknown 0: The code holds characters that cannot be printed. Check the scanner, or the label.',
    ],
  ],
  [
    '2 the command for the next parcel closes the one that has items, and the next opens',
    async () => {
      const order = await table.open({ CUP: 2 })
      await order.scan('CUP-1')
      const did = await (await order.screen()).scan('CMD:NEXT')
      return [did, (await order.next()).session?.parcel_no]
    },
    ['next', 2],
  ],
  [
    '3 the command for the next parcel is refused while the parcel is empty',
    async () => refusal((await table.open({ CUP: 1 })).next()),
    'parcel_empty: Parcel 1 is empty: pack something first',
  ],
  [
    '4 the command to close asks about the rest, closes where nothing is left, and says where nothing is packed',
    async () => {
      const order = await table.open({ CUP: 2 })
      const untouched = await (await order.screen()).scan('CMD:FINALIZE')
      await order.scan('CUP-1')
      const rest = [await (await order.screen()).scan('CMD:FINALIZE'), await refusal(order.close())]
      await order.scan('CUP-1')
      return [untouched, ...rest, (await order.close()).outcome]
    },
    ['Nothing is packed yet. Set the order aside instead.', 'asks finalize', 'order_incomplete: 1 items are not packed yet', 'labelled'],
  ],
  [
    '5 the command to undo takes back a count, a serial number and a box, and nothing of a parcel with a label',
    async () => {
      const [cups, lamp] = [await table.open({ CUP: 2 }), await table.open({ LAMP: 1 })]
      await cups.scan('CUP-1')
      const count = said(await cups.undo())
      for (const code of ['CRS', 'CRL']) await cups.scan(code)
      const box = [said(await cups.undo()), (await cups.read()).crate?.code]
      await lamp.serial('L100')
      const serial = [said(await lamp.undo()), brief(await lamp.serial('L100'))]
      await cups.scan('CUP-1')
      await cups.next()
      return [count, ...serial, ...box, await refusal(cups.undo())]
    },
    [
      'undone -1: Taken back: Cup',
      ...['undone -1: Taken back: Lamp', 'order_done 1'],
      ...['undone 0: Taken back: Box L', 'S'],
      'parcel_booked: Parcel 1 has its label. Cancel the label first, then take items out.',
    ],
  ],
  [
    '6 each other command opens its stage, also by the words of older sheets; a digit without a question is ignored',
    async () => {
      const order = await table.open({ CUP: 2 })
      await order.scan('CUP-1')
      const codes = ['EXCEPTION', 'HOSPITAL', 'ABORT', 'REPRINT', 'PHOTO', 'QTY', 'PAUSE', 'DONE', 'OK', 'ESC', '7', 'UNKNOWN']
      return each(codes, async code => `${code}: ${await (await order.screen()).scan(`CMD:${code}`)}`.replace(order.order_no, 'A'))
    },
    [
      'EXCEPTION: asks exception',
      'HOSPITAL: asks exception',
      'ABORT: asks abort',
      'REPRINT: Order A has no label yet',
      'PHOTO: No photos are taken here',
      'QTY: Cup has a barcode: scan it. Only a lead may count it by hand.',
      'PAUSE: hidden',
      'DONE: ignored',
      'OK: ignored',
      'ESC: ',
      '7: ignored',
      'UNKNOWN: scan',
    ],
  ],
  [
    '7 the code of another order opens it while nothing is counted, and is asked about afterwards',
    async () => {
      const [order, other] = [await table.open({ CUP: 2 }), await table.place({ HAT: 1 })]
      const code = `${table.operator.main.id}:${other.id}`
      const untouched = await (await order.screen()).scan(code)
      await order.scan('CUP-1')
      const begun = await order.screen()
      return [untouched, (await begun.scan(code)).replaceAll(order.order_no, 'A').replaceAll(other.order_no, 'B'), await begun.scan(code)]
    },
    ['abort', 'Order A is still open. Scan B once more to set it aside and open the other one.', 'park'],
  ],
  [
    '8 the code of this order again is a word that a warning is read, and else says that the order is open',
    async () => {
      const order = await table.open({ CUP: 1 })
      await table.boss.send(orderComments.add, { id: order.id, type: 'warning', body: { comment: 'Pack it twice' } })
      const screen = await order.screen()
      return [await screen.scan('CUP-1'), await screen.scan(order.code), await screen.scan('CUP-1'), await screen.scan(order.code)]
    },
    ['Read the warning first: press Enter, or scan the order code again', 'ok', 'scan', 'This order is open here'],
  ],
  [
    '9 while a label is asked for, the order’s own is right; that of another order, a cancelled and an unknown one are not',
    async () => {
      const [order, other, old] = [await table.packed('pickup'), await table.packed(), await table.cancelled()]
      const answers = await each([other.number, old.number, 'NO-LABEL', order.number], code => table.checkLabel(order.session_id, code))
      return answers.map(answer => answer.replace(other.order_no, 'B').replace(old.order_no, 'C'))
    },
    [
      'false: This label belongs to order B',
      'false: This label belongs to order C',
      'false: This is not a label that we know: NO-LABEL',
      'true: The label belongs to this parcel',
    ],
  ],
  [
    '10 a cancelled label of any order stops the packer in every other state, and is on record',
    async () => {
      const [old, order] = [await table.cancelled(), await table.open({ CUP: 1 })]
      const answer = (await order.said(old.number)).replace(old.order_no, 'C')
      const idle = (await table.kim.send(packing.find, { code: old.number })).blocked?.text
      const { rows } = await table.boss.send(orders.timeline, { id: old.id })
      return [answer, idle, rows.some(({ text }) => text === 'The cancelled label was scanned at a station')]
    },
    [
      'blocked_label 0: This label of order C was cancelled by Astrid: do not use it',
      'This label of order {{order_no}} was cancelled by {{name}}: do not use it',
      true,
    ],
  ],
  [
    '11 the order’s own fresh label is no item, and that of another order is unknown',
    async () => {
      const order = await table.open({ CUP: 2 })
      await order.scan('CUP-1')
      const { parcels } = await order.close({ rest: 'backorder' })
      await table.kim.send(packing.start, { id: order.id, body: { station: 'Bench 1' } })
      const other = await table.packed()
      return [await order.said(parcels[0]?.tracking_no ?? ''), await order.brief(other.number)]
    },
    ['ignored 0: This label is printed already', 'unknown 0'],
  ],
  [
    '12 a weight that is asked for is taken in kilograms and grams, an item is still an item, and the weight is asked about outside the tolerance',
    async () => {
      const order = await table.open({ CUP: 2 })
      await order.scan('CUP-1')
      const did = await each(['0.512 kg', '512 g', 'CUP-1'], async text => {
        const screen = await order.screen()
        await screen.scan('CMD:WEIGH')
        return screen.scan(text)
      })
      return [...did, await order.weigh(512), await order.weigh(900)]
    },
    [
      ...['weight', 'weight', 'scan'],
      'weight_set 0: Parcel 1 weighs 512 g',
      'weight_asked 0: The scale says 900 g, the products and the box 500 g. Is anything missing?',
    ],
  ],
  [
    '13 a weight that no one asks for is no item',
    async () => (await table.open({ CUP: 1 })).said('1.234 kg'),
    'unknown 0: This is a weight. Scan the item.',
  ],
  [
    '14 the badge of another person with the permission approves what was asked, and the scan that was held back counts',
    async () => {
      const order = await table.open({ VASE: 1 })
      const held = await order.brief('VASE-1')
      const { state, approver } = await table.approve(order.id, 'Vases', order.first)
      return [held, state, approver, await order.brief('VASE-1')]
    },
    ['approval_needed 0', 'approved', 'Jonas', 'order_done 1'],
  ],
  [
    '15 the own badge, one without the permission and one that nothing asks for approve nothing',
    async () => {
      const order = await table.place({ VASE: 1, CUP: 1 })
      const lead = await table.operator.hire(['scan_admin'], table.operator.main, 'Lis')
      const clerk = await table.operator.hire(['scan'], table.operator.main, 'Bo')
      await lead.send(packing.start, { id: order.id, body: { station: 'Bench 2' } })
      const ask = async (user_id: number, line_id = order.line_ids[0] ?? 0) => {
        const { code: badge } = await table.boss.send(credentials.makeBadge, { id: user_id })
        const body = { order_id: order.id, rule_id: table.ruleIds.Vases ?? 0, line_id, method: 'badge' as const, badge }
        return refusal(lead.send(packing.ask, { body }))
      }
      const screen = await table.at(order, lead).screen()
      return [
        await ask(lead.user_id),
        await ask(clerk.user_id),
        await ask(table.jonas.user_id, order.line_ids[1]),
        await screen.scan('U1-12345678'),
      ]
    },
    [
      'approval_own: Someone else must approve this',
      'approval_not_allowed: Bo may not approve this',
      'approval_not_needed: No approval is open',
      'A staff badge is no product',
    ],
  ],
  [
    '16 an open product counts one, and says when its line and the order are done; a line is known by its own barcode, too',
    async () => {
      const order = await table.open({ CUP: 2, HAT: 1 })
      await testApp.services.database.transaction(table.scope, db =>
        db
          .updateTable('order_lines')
          .set({ product_id: null, barcode: 'OWN-HAT' })
          .where('id', '=', order.line_ids[1] ?? 0)
          .execute(),
      )
      return each(['CUP-1', 'CUP-1', 'OWN-HAT'], order.brief)
    },
    ['ok 1', 'line_done 1', 'order_done 1'],
  ],
  [
    '17 an outer pack of six counts six where six are missing, and nothing where fewer are',
    async () => [await (await table.open({ CUP: 6 })).brief('CUP-6'), await (await table.open({ CUP: 4 })).said('CUP-6')],
    ['order_done 6', 'over 0: This pack holds 6, but only 4 of Cup are missing'],
  ],
  [
    '18 of two lines with one product, the first with place for the whole pack is filled',
    async () => {
      const order = await table.open({ CUP: 2, 'CUP again': 6 })
      const answers = [await order.scan('CUP-6'), await order.scan('CUP-1'), await order.scan('CUP-1')]
      return answers.map(answer => [brief(answer), order.line_ids.indexOf(answer.line?.order_line_id ?? 0)])
    },
    [
      ['line_done 6', 1],
      ['ok 1', 0],
      ['order_done 1', 0],
    ],
  ],
  [
    '19 a code of two products of the order is asked about, until one of them is complete',
    async () => {
      const order = await table.open({ LEFT: 1, RIGHT: 1 })
      const asked = await order.scan('GLOVE')
      const chosen = await order.scan('GLOVE', { line_id: asked.choices[1] ?? 0 })
      return [said(asked), asked.choices.length, brief(chosen), await order.brief('GLOVE')]
    },
    ['ambiguous 0: GLOVE means several products of this order. Select one.', 2, 'line_done 1', 'order_done 1'],
  ],
  [
    '20 a product that is complete is one too many',
    async () => each(['CUP-1', 'CUP-1', 'CUP-1', 'CUP-1'], (await table.open({ CUP: 3, HAT: 1 })).said).then(answers => answers.at(-1)),
    'over 0: Too many of Cup: 3 of 3 are packed',
  ],
  [
    '21 a product with serial numbers asks for one, and counts nothing before',
    async () => {
      const order = await table.open({ LAMP: 1 })
      return [await order.said('02100000000142'), (await order.read()).packed]
    },
    ['serial_needed 0: Scan the serial number of Lamp', 0],
  ],
  [
    '22 a GS1 code that holds article and serial number counts at once',
    async () => {
      const order = await table.open({ LAMP: 1 })
      return [await order.brief(']d2010210000000014221L110'), (await order.read()).lines[0]?.serials]
    },
    ['order_done 1', ['L110']],
  ],
  [
    '23 a serial number that fits and is free counts; one that went out, a product’s barcode and one that does not fit do not',
    async () => {
      const [first, second] = [await table.open({ LAMP: 1 }), await table.open({ LAMP: 1 })]
      await first.serial('L120')
      const answers = await each(['L120', '02100000000142', 'X1'], async code => said(await second.serial(code)))
      await first.undo()
      return [...answers.map(answer => answer.replace(first.order_no, 'A')), brief(await second.serial('L120'))]
    },
    [
      'serial_refused 0: L120 went out with order A already',
      'serial_refused 0: 02100000000142 is the barcode of a product, not a serial number',
      'serial_refused 0: X1 is not a serial number of Lamp',
      'order_done 1',
    ],
  ],
  [
    '24 an outer pack of six pieces with serial numbers asks for each; those given stay when it is left',
    async () => {
      const order = await table.open({ LAMP: 7 })
      const begun = await order.said('LAMP-6')
      const given = await each(['L131', 'L132'], async code => said(await order.serial(code)))
      const left = await order.scan('02100000000142')
      return [begun, ...given, brief(left), left.pack, left.packed]
    },
    [
      'serial_of_pack 0: Scan serial number 1 of 6: Lamp',
      'ok 1: Scan serial number 2 of 6: Lamp',
      'ok 1: Scan serial number 3 of 6: Lamp',
      ...['serial_needed 0', null, 2],
    ],
  ],
  [
    '25 the code of a pack of imported serial numbers counts all its pieces, or none where fewer are missing',
    async () => {
      const [few, all] = [await table.open({ LAMP: 2 }), await table.open({ LAMP: 3 })]
      return [await few.said('BOX-7'), await all.brief('BOX-7'), (await all.read()).lines[0]?.serials]
    },
    ['over 0: This pack holds 3, but only 2 of Lamp are missing', 'order_done 3', ['L701', 'L702', 'L703']],
  ],
  [
    '26 a serial number that is scanned first counts where one product’s rule fits, and is ambiguous where two do',
    async () => [await (await table.open({ LAMP: 1 })).brief('L140'), await (await table.open({ LAMP: 1, LENS: 1 })).said('L941')],
    ['order_done 1', 'ambiguous 0: L941 can be a serial number of several products. Scan the product first.'],
  ],
  [
    '27 where only imported serial numbers go out, one that is not in stock is refused, and one of another product is named',
    async () => {
      const configure = (value: string) =>
        table.boss.send(serialNumbers.configure, { code: table.operator.main.code, property: 'mode', value })
      await configure('stock')
      const lamp = await table.open({ LAMP: 1 })
      const answers = [...(await each(['L999', 'L901'], async code => said(await lamp.serial(code)))), brief(await lamp.serial('L711'))]
      await configure('outbound')
      return answers
    },
    [
      'serial_refused 0: L999 is not among the serial numbers in stock',
      'serial_refused 0: L901 is a serial number of LENS',
      'order_done 1',
    ],
  ],
  [
    '28 the own code of a bundle shows its parts, and counts nothing',
    async () => {
      const answer = await (await table.open({ KIT: 1, CUP: 1, HAT: 2 })).scan('KIT')
      return [said(answer), answer.choices.length]
    },
    ['parts_shown 0: KIT is a bundle. Scan its parts one by one.', 2],
  ],
  [
    '29 a part of a bundle counts by itself',
    async () => each(['CUP-1', 'HAT-1', 'HAT-1'], (await table.open({ KIT: 1, CUP: 1, HAT: 2 })).brief),
    ['line_done 1', 'ok 1', 'order_done 1'],
  ],
  [
    '30 a line under a rule is held back, and its scan counts once after the approval',
    async () => {
      const order = await table.open({ VASE: 2 })
      const scan_id = randomUUID()
      const held = brief(await order.scan('VASE-1'))
      await table.approve(order.id, 'Vases', order.first)
      return [
        held,
        brief(await order.scan('VASE-1', { scan_id })),
        brief(await order.scan('VASE-1', { scan_id })),
        (await order.read()).packed,
      ]
    },
    ['approval_needed 0', 'ok 1', 'ok 1', 1],
  ],
  [
    '31 the next piece of an approved line, and of an approved order, needs no second approval',
    async () => {
      const [vases, globes] = [await table.open({ VASE: 2 }), await table.open({ GLOBE: 1, CUP: 1 })]
      await table.approve(vases.id, 'Vases', vases.first)
      const whole = await globes.brief('CUP-1')
      await table.approve(globes.id, 'Globes', null)
      return [await each(['VASE-1', 'VASE-1'], vases.brief), whole, await each(['GLOBE-1', 'CUP-1'], globes.brief)]
    },
    [['ok 1', 'order_done 1'], 'approval_needed 0', ['line_done 1', 'order_done 1']],
  ],
  [
    '32 an additional product that is scanned lies in the parcel once; one that is only shown may be scanned as well',
    async () => each(['SAMPLE-1', 'SAMPLE-1', 'L666'], (await table.open({ CARD: 1 })).said),
    ['addition 0: Sample is in the parcel', 'ignored 0: Sample is in the parcel already', 'addition 0: Flyer is in the parcel'],
  ],
  [
    '33 the code of a box names it for the parcel; one that is off, that the courier does not take or a rule forbids is refused, until a lead scans it again',
    async () => {
      const order = await table.open({ HAT: 1 })
      const answers = await each(['CRS', 'CROFF', 'CRBRING', 'CRNOHAT', 'CRNOHAT'], order.said)
      await table.jonas.send(packing.start, { id: order.id, body: { station: 'Bench 1', take_over: true } })
      return [...answers, ...(await each(['CRNOHAT', 'CRNOHAT'], table.at(order, table.jonas).said))]
    },
    [
      'crate_set 0: Parcel 1 goes out in Box S',
      'crate_refused 0: The box Box OFF is switched off. Use another one.',
      'crate_refused 0: The courier does not take the box Box BRING. Use another one.',
      'crate_refused 0: Hat may not go into the box Box NOHAT. Use another one.',
      'crate_refused 0: Hat may not go into the box Box NOHAT. Use another one.',
      'crate_refused 0: Hat may not go into the box Box NOHAT. Scan it again to use it anyway.',
      'crate_set 0: Parcel 1 goes out in Box NOHAT',
    ],
  ],
  [
    '34 a product of another order of the wagon, of another shop and of no order does not belong here, and says where it does',
    async () => {
      const { orders: wagon } = await buildPickList(testApp.services.database, table.operator, [
        { lines: [{ bin: 'A-01', qty: 1, barcode: 'W-1' }] },
        { lines: [{ bin: 'A-02', qty: 1, barcode: 'W-2', name: 'Blue cup' }] },
      ])
      const [mine, beside] = wagon
      if (!mine || !beside) throw new Error('The wagon has no orders')
      await testApp.services.database.transaction(table.scope, async db => {
        await db.updateTable('orders').set({ work_state: 'picked', phase: 'picked' }).where('work_state', '=', 'in_pick').execute()
        await db.updateTable('pick_slots').set({ state: 'picked' }).where('order_id', 'in', [mine.id, beside.id]).execute()
      })
      await table.kim.send(packing.start, { id: mine.id, body: { station: 'Bench 1' } })
      const { said: scan } = table.at({ ...mine, line_ids: [] })
      const answers = await each(['W-2', 'SOCK-1', 'HAT-1'], scan)
      return answers.map(answer => answer.replace(beside.order_no, 'B').replace(table.shop.name, 'Shop'))
    },
    [
      'wrong 0: Blue cup belongs to order B, number 2 of this wagon',
      'wrong_shop 0: Sock belongs to Shop',
      'wrong 0: Hat does not belong to this order',
    ],
  ],
  [
    '35 nothing counts in a stopped order, in one that is being closed, or before its warning is read',
    async () => {
      const [stopped, warned, closing] = [await table.open({ CUP: 1 }), await table.open({ CUP: 1 }), await table.packed('pickup')]
      await table.boss.send(orderLocks.lock, { id: stopped.id, body: { note: 'Customer called' } })
      await table.boss.send(orderComments.add, { id: warned.id, type: 'warning', body: { comment: 'Pack it twice' } })
      return [await stopped.said('CUP-1'), await closing.said('HAT-1'), await (await warned.screen()).scan('CUP-1')]
    },
    [
      'stopped 0: Locked by Astrid: Customer called',
      'ignored 0: This order is being closed',
      'Read the warning first: press Enter, or scan the order code again',
    ],
  ],
  [
    '36 an unknown code is shown; only a lead links it to a product',
    async () => {
      const order = await table.open({ CUP: 2 })
      const body = { code: 'NEW-1', order_line_id: order.first }
      const unknown = await order.said('NEW-1')
      const packer = await table.kim.ask(packing.linkBarcode, { id: order.id, body })
      await table.jonas.send(packing.linkBarcode, { id: order.id, body })
      return [unknown, packer.statusCode, await order.brief('NEW-1')]
    },
    ['unknown 0: Unknown barcode: NEW-1', 403, 'ok 1'],
  ],
  [
    '37 a scan that is sent again is answered as before with fresh counters, and is refused for another order',
    async () => {
      const [order, other] = [await table.open({ CUP: 3 }), await table.open({ CUP: 1 })]
      const scan_id = randomUUID()
      const first = await order.scan('CUP-1', { scan_id })
      await order.scan('CUP-1')
      const again = await order.scan('CUP-1', { scan_id })
      return [brief(first), brief(again), [first.packed, again.packed], await refusal(other.scan('CUP-1', { scan_id }))]
    },
    ['ok 1', 'ok 1', [1, 2], 'scan_of_other_order: This scan belongs to another order'],
  ],
  [
    '38 a typed quantity is refused for a line with serial numbers, and held back for one under a rule',
    async () => {
      const order = await table.place({ LAMP: 200, VASE: 200 })
      await table.jonas.send(packing.start, { id: order.id, body: { station: 'Bench 3' } })
      const count = (order_line_id = 0) =>
        table.jonas.send(packing.count, { id: order.id, body: { scan_id: randomUUID(), order_line_id, quantity: 200 } })
      return [await refusal(count(order.line_ids[0])), brief(await count(order.line_ids[1]))]
    },
    ['serial_number_required: Lamp needs a serial number for each item: scan it', 'approval_needed 0'],
  ],
  [
    '39 the same code twice within 100 ms is one scan, and two after it',
    () => [twice(99), twice(101)],
    [
      ['scan', 'double'],
      ['scan', 'scan'],
    ],
  ],
]

it.each(rows)('%s', async (_, act, answers) => {
  expect(await act()).toEqual(answers)
})

it('reads a box, an additional product and a label before a serial number that nothing asked for', async () => {
  const order = await table.open({ CARD: 1, LAMP: 1, LENS: 1 })
  expect(await each(['L555', 'L666', 'L155'], order.brief)).toEqual(['crate_set 0', 'addition 0', 'line_done 1'])
  const old = await table.cancelled()
  await table.boss.send(serialNumbers.update, { regex: '[A-Z0-9]+', barcode: 'LAMP', scope: 'product' })
  const wide = await table.open({ LAMP: 1 })
  expect(await each([old.number, 'CRS', 'L156'], wide.brief)).toEqual(['blocked_label 0', 'crate_set 0', 'order_done 1'])
})
