/** Rules of the demo for the station: what a lead approves, how serial numbers look, and eight weeks of questions with their answers – all invented. */
import { elementAt } from '#domain/objects.ts'
import type { ApprovalRuleFields } from '#features/packing/approval/approval.schemas.ts'
import { setRule } from '#features/packing/approval/approval-rules.commands.ts'
import { setSerialRule } from '#features/packing/serial-numbers/serial-numbers.commands.ts'
import { markUnits, storeUnits } from '#features/packing/serial-numbers/serial-units.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { insertAll } from './past.ts'

const codes = ['scan_admin', 'parcels_admin'] as const
const above = (amount: number, currency: string) => ({
  v: 1 as const,
  all: [{ field: 'order.value', op: 'gte', value: { amount, currency } }],
})

/** Orders of the demo seldom meet the two that are switched on. */
const approvals = (currency: string): Omit<ApprovalRuleFields, 'approver_codes' | 'reason_required'>[] => [
  {
    name: 'Orders of a high value',
    conditions: above(1_500_000, currency),
    subject: 'label',
    methods: ['pin', 'badge', 'remote'],
    active: true,
  },
  {
    name: 'More than nine of one product',
    conditions: { v: 1, all: [{ lines: 'some', match: { field: 'line.qty', op: 'gte', value: 10 } }] },
    subject: 'line',
    methods: ['pin', 'badge', 'remote'],
    active: true,
  },
  {
    name: 'First order of a customer abroad',
    conditions: {
      v: 1,
      all: [
        { field: 'customer.is_new', op: 'is', value: true },
        { field: 'order.is_abroad', op: 'is', value: true },
      ],
    },
    subject: 'order',
    methods: ['remote'],
    active: false,
  },
  {
    name: 'Photo of what has a serial number',
    conditions: { v: 1, all: [{ lines: 'some', match: { field: 'line.serial_required', op: 'is', value: true } }] },
    subject: 'line',
    methods: ['photo'],
    active: false,
  },
  {
    name: 'Parcels above 25 kg',
    conditions: { v: 1, all: [{ field: 'order.weight', op: 'gte', value: 25_000 }] },
    subject: 'label',
    methods: ['pin'],
    active: false,
  },
]

/** One packed order in so many was asked about. */
const every = 6
const answers = [...Array.from({ length: 26 }, () => 'approved' as const), 'refused', 'refused', 'expired', 'approved'] as const

/** And one in so many needed a lead for something else. */
const actEvery = 40
const acts = ['weight', 'bypass', 'take_over', 'cancel_rest'] as const

interface Person {
  id: number
  name: string
}

export async function buildPackingRules(
  services: Services,
  scope: TenantScope,
  currency: string,
  { lead }: { lead: Person },
): Promise<void> {
  const system = createSystemContext(services, scope)
  await system.transaction(async context => {
    const rules: Awaited<ReturnType<typeof setRule>>[] = []
    for (const rule of approvals(currency))
      rules.push(await setRule(context, { ...rule, approver_codes: [...codes], reason_required: false }))
    const { db } = context
    const serials = await db
      .selectFrom('products')
      .select('sku')
      .where('company_id', '=', scope.company_id)
      .where('serial_required', '=', true)
      .orderBy('sku')
      .execute()
    for (const { sku } of serials)
      await setSerialRule(db, scope.company_id, {
        regex: '[A-Za-z0-9-]{4,30}',
        barcode: sku,
        default_scope: 'product',
        // The maker prints the batch behind a semicolon.
        extract: [{ kind: 'part', separator: ';', part: 1 }],
      })
    await buildSerialUnits(
      db,
      scope.company_id,
      serials.map(({ sku }) => sku),
    )
    const sessions = await db
      .selectFrom('packing_sessions')
      .select(['id', 'company_id', 'order_id', 'station', 'user_id', 'user_name', 'ended_at'])
      .where('company_id', '=', scope.company_id)
      .where('state', '=', 'done')
      .where('ended_at', 'is not', null)
      .orderBy('id')
      .execute()
    await insertAll(
      db,
      'approval_requests',
      sessions
        .filter((session, place) => place % actEvery === actEvery - 1 && session.user_id !== lead.id)
        .map((session, place) => {
          const asked = Date.parse(session.ended_at ?? '') - 70_000
          const decided = new Date(asked + 6_000 + ((place * 7_919) % 30_000)).toISOString()
          return {
            ...{ company_id: session.company_id, act: elementAt(acts, place % acts.length), rule_name: '', approver_codes: [...codes] },
            ...{ order_id: session.order_id, session_id: session.id, method: elementAt(['pin', 'badge', 'remote'] as const, place % 3) },
            ...{ asked_by_id: session.user_id, asked_by_name: session.user_name, station: session.station, state: 'approved' as const },
            ...{ asked_at: new Date(asked).toISOString(), expires_at: new Date(asked + 60_000).toISOString() },
            ...{ decided_by_id: lead.id, decided_by_name: lead.name, decided_at: decided, used_at: decided },
          }
        }),
    )
    await insertAll(
      db,
      'approval_requests',
      sessions
        .filter((session, place) => place % every === 0 && session.user_id !== lead.id)
        .map((session, place) => {
          const state = elementAt(answers, place % answers.length)
          const rule = elementAt(rules, place % 3)
          const method =
            rule.name === 'First order of a customer abroad' ? 'remote' : elementAt(['pin', 'remote', 'badge'] as const, place % 3)
          const asked = Date.parse(session.ended_at ?? '') - 45_000
          const decided = state === 'expired' ? null : new Date(asked + 4_000 + ((place * 7_919) % 37_000)).toISOString()
          return {
            ...{ company_id: session.company_id, rule_id: rule.id, rule_name: rule.name, approver_codes: [...codes] },
            ...{ order_id: session.order_id, session_id: session.id, method: state === 'expired' ? ('remote' as const) : method, state },
            ...{ asked_by_id: session.user_id, asked_by_name: session.user_name, station: session.station },
            asked_at: new Date(asked).toISOString(),
            expires_at: state === 'expired' || method === 'remote' ? new Date(asked + 60_000).toISOString() : null,
            ...(decided && { decided_by_id: lead.id, decided_by_name: lead.name, decided_at: decided }),
            ...(state === 'approved' && { used_at: decided }),
            ...(state === 'refused' && { reason: 'The wrong size was packed' }),
          }
        }),
    )
  })
}

/** The lists of makers: what went out of them, multipacks of ten in stock, and two pieces that were recalled. */
async function buildSerialUnits(db: Db, company_id: number, skus: readonly string[]): Promise<void> {
  const sent = await db
    .selectFrom('order_serials')
    .select(['sku_key as sku', 'serial'])
    .where('company_id', '=', company_id)
    .orderBy('id', 'desc')
    .limit(400)
    .execute()
  const stock = skus.flatMap((sku, nth) =>
    Array.from({ length: 50 }, (_, piece) => ({
      ...{ sku, serial: `SN-${7_000 + nth}-${piece + 1}`, lot: `L${26 + nth}` },
      ...(piece < 40 && { pack_code: `BOX-${7_000 + nth}-${Math.floor(piece / 10) + 1}` }),
    })),
  )
  await storeUnits(
    db,
    company_id,
    [...sent, ...stock].map((unit, at) => ({ row: at + 1, unit })),
  )
  const recalled = await db
    .selectFrom('serial_units')
    .select('id')
    .where('company_id', '=', company_id)
    .where('serial', 'in', ['SN-7000-49', 'SN-7000-50'])
    .execute()
  await markUnits(
    db,
    recalled.map(({ id }) => id),
    'recalled',
  )
}
