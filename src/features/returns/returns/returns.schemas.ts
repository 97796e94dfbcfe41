/** Schemas of the calls in returns.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { ReturnSettings, VersionRead, versioned } from '#features/company/companies/companies.schemas.ts'
import {
  conditions,
  custodies,
  decisions,
  evidences,
  faults,
  moneyStates,
  proposalStates,
  returnFileKinds,
  returnLimits,
  returnMethods,
  returnOutcomes,
  returnSorts,
  returnSources,
  returnStatuses,
  returnViews,
  serialChecks,
} from './returns.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const version = z.number().int().positive()
const at = z.string().nullable()
const amount = z.number().int().min(0).max(1_000_000_000)
const Status = z.enum(returnStatuses)
const Money = z.enum(moneyStates)

export const ReturnRow = z.object({
  id,
  rma_no: z.string(),
  company_id: id,
  company: z.string(),
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  customer: z.string().nullable(),
  shop: z.string(),
  source: z.enum(returnSources),
  status: Status,
  method: z.enum(returnMethods),
  withdrawal: z.boolean(),
  requested_at: z.string(),
  arrived_at: at,
  /** By when the money of a withdrawal is due. */
  refund_due_at: at,
  currency: z.string(),
  pieces: id,
  /** What still has to happen to its money; of several pieces the first that waits. */
  money: Money,
  version: id,
})
export type ReturnRow = z.infer<typeof ReturnRow>

export const ReturnItem = z.object({
  id,
  order_line_id: id.nullable(),
  product_id: id.nullable(),
  sku: z.string().nullable(),
  name: z.string(),
  barcode: z.string().nullable(),
  has_picture: z.boolean(),
  picture_version: id.nullable(),
  piece_no: id,
  reason_code: z.string().nullable(),
  reason_note: z.string().nullable(),
  outcome: z.enum(returnOutcomes),
  exchange_product_id: id.nullable(),
  exchange_product: z.string().nullable(),
  /** The customer wants another product, and no one has said which yet. */
  exchange_other: z.boolean(),
  exchange_order_id: id.nullable(),
  exchange_order_no: z.string().nullable(),
  /** It lay in the parcel although no one announced it. */
  unannounced: z.boolean(),
  custody: z.enum(custodies),
  money: Money,
  condition: z.enum(conditions).nullable(),
  reason_seen: z.string().nullable(),
  needs_serial: z.boolean(),
  /** Serial numbers that went out with its line. */
  sent_serials: z.array(z.string()),
  serial: z.string().nullable(),
  serial_check: z.enum(serialChecks).nullable(),
  /** The order with which a wrong serial number went out. */
  serial_order_no: z.string().nullable(),
  inspected_at: at,
  inspected_by: z.string().nullable(),
  inspect_note: z.string().nullable(),
  decision: z.enum(decisions).nullable(),
  decided_at: at,
  decided_by: z.string().nullable(),
  bin: z.string().nullable(),
  /** The bin or shelf to which a rule sends it. */
  destination: z.string().nullable(),
  /** What a rule asked the customer, and the answer. */
  question: z.string().nullable(),
  answer: z.string().nullable(),
  /** Parts that belong to it, and whether each was with it; null where no one has looked yet. */
  accessories: z.array(z.object({ name: z.string(), here: z.boolean().nullable() })),
  product_bin: z.string().nullable(),
  put_back_id: id.nullable(),
  put_back_done: z.boolean().nullable(),
  /** What was paid for it, in minor units; and what is taken off for wear. */
  amount: id,
  deduction: id,
  proposal_id: id.nullable(),
  version: id,
})
export type ReturnItem = z.infer<typeof ReturnItem>

export const RefundProposal = z.object({
  id,
  no: id,
  kind: z.enum(['refund', 'credit']),
  goods: id,
  delivery: id,
  fee: id,
  deduction: id,
  total: id,
  currency: z.string(),
  note: z.string(),
  state: z.enum(proposalStates),
  proposed_at: z.string(),
  proposed_by: z.string(),
  shop_ref: z.string().nullable(),
  /** What the shop paid, where that differs. */
  paid: id.nullable(),
  answered_at: at,
  answered_by: z.string().nullable(),
  reason: z.string().nullable(),
})
export type RefundProposal = z.infer<typeof RefundProposal>

const actions = ['approve', 'reject', 'cancel', 'link', 'inspect', 'decide', 'propose', 'reopen', 'close'] as const
export type ReturnAction = (typeof actions)[number]

/** A parcel shop where the customer hands the parcel in, as it was when they chose it. */
export const DropOff = z.object({
  agent_code: z.string(),
  id: z.string(),
  name: z.string(),
  address1: z.string(),
  postcode: z.string(),
  city: z.string(),
  country: z.string(),
})
export type DropOff = z.infer<typeof DropOff>

export const Return = ReturnRow.extend({
  language: z.string(),
  noticed_at: at,
  approved_at: at,
  expires_at: at,
  in_transit_at: at,
  decided_at: at,
  resolved_at: at,
  contact_name: z.string().nullable(),
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  claimed_order_no: z.string().nullable(),
  note: z.string().nullable(),
  reason: z.string().nullable(),
  ended_as: z.enum(['rejected', 'cancelled', 'expired']).nullable(),
  shelf: z.string().nullable(),
  drop_off: DropOff.nullable(),
  fee: id,
  /** Names of the rules that changed something for it. */
  applied_rules: z.array(z.string()),
  /** A withdrawal of goods alone that the law excludes from it: a person decides. */
  exempt: z.boolean(),
  created_by: z.string(),
  items: z.array(ReturnItem),
  parcels: z.array(
    z.object({
      id,
      shipment_id: id.nullable(),
      tracking_no: z.string().nullable(),
      agent_code: z.string().nullable(),
      state: z.string().nullable(),
      weight_g: id.nullable(),
      arrived_at: at,
      arrived_by: z.string().nullable(),
    }),
  ),
  files: z.array(
    z.object({ file_id: id, item_id: id.nullable(), kind: z.enum(returnFileKinds), created_at: z.string(), created_by: z.string() }),
  ),
  proposals: z.array(RefundProposal),
  /** Of all items that are sent, in grams; null where the weight of one is not known. */
  expected_weight_g: id.nullable(),
  /** Grams by which the boxes are heavier than their items, where that is remarkable. */
  weight_difference_g: id.nullable(),
  /** What a withdrawal from the whole order gives back of the delivery. */
  delivery_paid: id,
  supported_actions: z.array(z.enum(actions)),
})
export type Return = z.infer<typeof Return>

export const ReturnReason = z.object({
  code: z.string(),
  /** By locale; an absent one is the product's own. */
  words: z.record(z.string(), z.string()),
  evidence_text: z.enum(evidences),
  evidence_photo: z.enum(evidences),
  fault: z.enum(faults),
  position: id,
  active: z.boolean(),
  version: id,
})

const ReasonCode = z.string().regex(/^[a-z0-9_]{1,40}$/)

export const ReturnReasonFields = z.strictObject({
  /** What customers read, by language; where one is absent, the product's own words, or those of another language. */
  words: z.partialRecord(Locale, text(returnLimits.reasonWords)),
  evidence_text: z.enum(evidences),
  evidence_photo: z.enum(evidences),
  /** A fault of the shop or the courier costs the customer no fee. */
  fault: z.enum(faults),
  /** Customers and the desk may choose it. */
  active: z.boolean(),
})
export type ReturnReasonFields = z.output<typeof ReturnReasonFields>

export const ReturnableLine = z.object({
  order_line_id: id,
  product_id: id.nullable(),
  sku: z.string().nullable(),
  name: z.string(),
  variant: z.string().nullable(),
  shipped: id,
  left: id,
  /** What was paid for the whole line, VAT included, in minor units. */
  paid: id,
})
export type ReturnableLine = z.infer<typeof ReturnableLine>

const ScannedOrder = z.object({
  id,
  order_no: z.string(),
  company: z.string(),
  customer: z.string().nullable(),
  /** Items that can still be returned. */
  left: id,
  /** False where nothing of it was sent yet. */
  sent: z.boolean(),
})
export type ScannedOrder = z.infer<typeof ScannedOrder>

export const ScanAnswer = z.object({
  /** The return that the scan means; its parcel has arrived. */
  return_id: id.nullable(),
  /** Several that it may mean. */
  choices: z.array(ReturnRow),
  /** An order without an open return. */
  order: ScannedOrder.nullable(),
  /** Several of those that it may mean, beside the returns of `choices`. Shops count their orders by themselves. */
  orders: z.array(ScannedOrder),
  /** True where the return waits for its approval, and its parcel was not accepted yet. */
  blocked: z.boolean(),
  /** Where the scanned label is one that was cancelled, and its parcel went out all the same. */
  alarm: z.object({ text: z.string(), values: z.record(z.string(), z.string()) }).nullable(),
})
export type ScanAnswer = z.infer<typeof ScanAnswer>

const Question = z.object({
  /** Return, order or tracking number, serial number, customer. */
  query: z.string().max(200).default(''),
  view: z.enum(returnViews).default('open'),
  source: listParam(z.enum(returnSources)),
  money: listParam(Money),
  company: listParam(z.coerce.number<unknown>().int().positive(), 50),
  /** Requested between these instants, the last one not included. */
  requested_from: z.iso.datetime({ offset: true }).optional(),
  requested_until: z.iso.datetime({ offset: true }).optional(),
  sort: z.enum(returnSorts).default('-requested'),
})
export type ReturnsQuestion = z.infer<typeof Question>

const reason = text(returnLimits.reason).min(1, 'Give a reason')
const optionalReason = text(returnLimits.reason)

const NewItem = z.strictObject({
  order_line_id: idIn,
  qty: z.number().int().min(1).max(returnLimits.pieces),
  reason: text(40).min(1, 'Choose a reason from the list.'),
  note: text(returnLimits.itemNote).default(''),
  outcome: z.enum(returnOutcomes).default('refund'),
})

const NewReturn = z.strictObject({
  client_id: z.uuid(),
  order_id: idIn,
  items: z.array(NewItem).max(returnLimits.lines),
  method: z.enum(returnMethods).default('none'),
  note: text(returnLimits.note).default(''),
  withdrawal: z.boolean().default(false),
  /** Takes it although a rule of the company refuses it. */
  despite_rules: z.boolean().default(false),
})

const InspectBody = z.strictObject({
  condition: z.enum(conditions),
  reason_seen: text(40).optional(),
  serial: text(120).optional(),
  /** Why the serial number cannot be read, or why another one is accepted. */
  serial_reason: text(200).optional(),
  note: text(250).optional(),
  /** The parts that were with it, of those that belong to it. */
  accessories: z.array(text(300)).max(50).optional(),
  version: version.optional(),
})

const ProposeBody = z.strictObject({
  item_ids: z.array(idIn).min(1, 'Choose at least one item.').max(returnLimits.pieces),
  delivery: amount.default(0),
  deduction: amount.default(0),
  note: text(500).default(''),
  version: version.optional(),
})

const ConfirmBody = z.strictObject({
  /** Of the refund in the shop or at the payment provider. */
  reference: text(returnLimits.reference).min(1, 'Enter the reference of the refund'),
  paid: amount.optional(),
})
const ReasonBody = z.strictObject({ reason, version: version.optional() })

const SettingsBody = z.strictObject({ ...ReturnSettings.shape, version: VersionRead })
const VersionedReturnSettings = versioned(ReturnSettings)

export const ShopReturn = z.object({
  rma_no: z.string(),
  order_no: z.string().nullable(),
  external_id: z.string().nullable(),
  status: Status,
  withdrawal: z.boolean(),
  requested_at: z.string(),
  refund_due_at: at,
  proposals: z.array(
    RefundProposal.pick({
      no: true,
      kind: true,
      goods: true,
      delivery: true,
      fee: true,
      deduction: true,
      total: true,
      currency: true,
      note: true,
      state: true,
      proposed_at: true,
      shop_ref: true,
    }),
  ),
  items: z.array(
    z.object({
      item_id: id,
      sku: z.string().nullable(),
      name: z.string(),
      outcome: z.enum(returnOutcomes),
      reason_code: z.string().nullable(),
      custody: z.enum(custodies),
      money: Money,
      condition: z.enum(conditions).nullable(),
      decision: z.enum(decisions).nullable(),
      amount: id,
    }),
  ),
})
export type ShopReturn = z.infer<typeof ShopReturn>

const changed = { body: z.strictObject({ version: version.optional() }), reply: Return }

export const returnsSchemas = {
  components: {
    ReturnRow,
    ReturnItem,
    RefundProposal,
    Return,
    ReturnReason,
    ReturnableLine,
    ReturnScan: ScanAnswer,
    ReturnsQuestion: Question,
    ShopReturn,
  },
  calls: {
    search: {
      query: pageQuery.extend(Question.shape),
      reply: page(ReturnRow),
      summary: 'Returns that match, the newest first unless sorted otherwise.',
    },
    count: {
      reply: z.object({ open: id, approve: id, expected: id, arrived: id, decide: id, money: id, overdue: id, orphans: id }),
      summary: 'How many returns wait for what.',
    },
    exportAll: { query: Question, summary: 'Returns that match, as CSV.' },
    reasons: {
      query: z.object({ company_id: z.coerce.number<unknown>().int().positive().optional() }),
      reply: z.array(ReturnReason),
      summary: 'Reasons for returns of a company, in their order.',
    },
    saveReason: {
      params: { code: ReasonCode },
      /** `version` is 0 for a reason that is new, or not changed yet. */
      body: ReturnReasonFields.extend({ version: z.number().int().min(0) }),
      reply: z.array(ReturnReason),
      summary: 'Changes a reason, or adds one of the company’s own. 409 with the current reasons when the version is old.',
    },
    resetReason: {
      params: { code: ReasonCode },
      reply: z.array(ReturnReason),
      summary: 'Makes a reason of the product what it was; removes one of the company’s own that no return has.',
    },
    orderReasons: {
      body: z.strictObject({ codes: z.array(ReasonCode).max(returnLimits.reasons) }),
      reply: z.array(ReturnReason),
      summary: 'Puts all reasons in this order. 409 where they are not the reasons of the company.',
    },
    settings: { reply: VersionedReturnSettings, summary: 'How the company takes returns.' },
    setSettings: {
      body: SettingsBody,
      reply: VersionedReturnSettings,
      summary: 'Sets how the company takes returns. 409 with the present settings when the version is old.',
    },
    ofOrder: {
      reply: z.object({
        returns: z.array(ReturnRow),
        lines: z.array(ReturnableLine),
        /** Whose reasons its returns have. */
        company_id: id,
        currency: z.string(),
        last_day: z.string().nullable(),
      }),
      summary: 'The returns of an order, and what is left to return of it.',
    },
    ofCustomer: { reply: z.array(ReturnRow), summary: 'The newest returns of a customer.' },
    scan: {
      body: z.strictObject({
        code: text(256).min(1),
        /** The one that is meant, of several `choices` of the answer before. */
        return_id: id.positive().optional(),
      }),
      reply: ScanAnswer,
      summary: 'Finds the return of a scanned label, order, return or serial number. A parcel of a return that is found has arrived.',
    },
    terms: {
      body: z.strictObject({
        items: z
          .array(NewItem.omit({ note: true }))
          .min(1)
          .max(returnLimits.lines),
      }),
      reply: z.object({
        items: z.array(
          z.object({
            order_line_id: id,
            /** What the customer reads, where a rule refuses it. */
            refused: z.string().nullable(),
            outcomes: z.array(z.enum(returnOutcomes)),
          }),
        ),
        currency: z.string(),
        /** In minor units. */
        fee: id,
        /** True where a person approves it first. */
        review: z.boolean(),
        /** Names of the rules that change something. */
        applied: z.array(z.string()),
      }),
      summary: 'What the rules of the company say of items of an order that would come back.',
    },
    create: {
      body: NewReturn,
      reply: Return,
      summary: 'Announces a return at the desk. 409 `return_refused` where a rule refuses it, unless it is taken despite the rules.',
    },
    createOrphan: {
      query: z.object({
        client_id: z.uuid(),
        /** What the label says. */
        code: text(256).default(''),
        shelf: text(40).default(''),
        note: text(500).default(''),
        company_id: z.coerce.number<unknown>().int().positive().optional(),
      }),
      reply: Return,
      summary: 'Keeps a parcel that no one announced, with a photo of it.',
    },
    get: { reply: Return, summary: 'Everything about a return.' },
    likelyOrders: {
      reply: z.object({
        rows: z.array(z.object({ id, order_no: z.string(), customer: z.string(), ordered_at: z.string(), left: id })),
      }),
      summary: 'Orders of the last 90 days that hold all that was unpacked from a return without an order, the newest first.',
    },
    link: {
      body: z.strictObject({ version: version.optional() }),
      reply: Return,
      summary: 'Links a parcel without an order to its order; answers the return that goes on.',
    },
    approve: { ...changed, summary: 'Approves a return: it may be sent.' },
    reject: { body: ReasonBody, reply: Return, summary: 'Rejects a return. A withdrawal in its period cannot be rejected.' },
    cancel: {
      body: ReasonBody,
      reply: Return,
      summary: 'Cancels a return of which nothing is on its way, or closes a parcel without an order.',
    },
    reopen: { body: ReasonBody, reply: Return, summary: 'Opens a resolved return again; confirmed money stays confirmed.' },
    close: { ...changed, summary: 'Ends the review of a reopened return.' },
    arrive: { ...changed, summary: 'Says that a parcel of the return is at the desk.' },
    weigh: {
      body: z.strictObject({ weight_g: z.number().int().min(1).max(1_000_000) }),
      reply: Return,
      summary: 'Writes down the weight of the box that arrived last. Beside the weight of its items it is a hint, and decides nothing.',
    },
    add: {
      body: z.strictObject({
        code: text(256).min(1, 'Scan or enter the product'),
        qty: z.number().int().min(1).max(50).default(1),
        version: version.optional(),
      }),
      reply: Return,
      summary: 'Adds a product that lay in the parcel although no one announced it.',
    },
    decide: {
      body: z.strictObject({
        items: z
          .array(z.strictObject({ item_id: idIn, decision: z.enum(decisions), bin: text(40).optional(), deduction: amount.optional() }))
          .min(1)
          .max(returnLimits.pieces),
        version: version.optional(),
      }),
      reply: Return,
      summary: 'Decides what becomes of inspected items. A restocked one becomes a task to put it back into its bin.',
    },
    propose: { body: ProposeBody, reply: Return, summary: 'Proposes a refund to the shop, which alone pays and confirms.' },
    waive: {
      body: z.strictObject({ item_ids: z.array(idIn).min(1).max(returnLimits.pieces), reason, version: version.optional() }),
      reply: Return,
      summary: 'Says that nothing is refunded for items, and why.',
    },
    addFile: {
      query: z.object({ kind: z.enum(['arrival', 'condition', 'paper']), item_id: z.coerce.number<unknown>().int().positive().optional() }),
      reply: Return,
      summary: 'Adds a photo of the parcel, of a paper in it, or of an item.',
    },
    file: { summary: 'A photo of a return.' },
    inspect: { body: InspectBody, reply: Return, summary: 'Writes down the condition of an item. Every condition but A needs a photo.' },
    exchange: {
      body: z.strictObject({ code: text(256).min(1, 'Scan or type a code.').nullable(), version: version.optional() }),
      reply: Return,
      summary: 'Says which product the customer gets instead, by its SKU or barcode; null: the same one. 409 `exchange_made`.',
    },
    missing: { ...changed, summary: 'Says that an announced item was not in the parcel.' },
    undo: { ...changed, summary: 'Takes back what was said of an item, until it is decided.' },
    confirm: {
      params: { no: z.coerce.number<unknown>().int().positive() },
      body: ConfirmBody,
      reply: Return,
      summary: 'Says for the shop that it has paid. The same reference again changes nothing.',
    },
    deny: {
      params: { no: z.coerce.number<unknown>().int().positive() },
      body: z.strictObject({ reason }),
      reply: Return,
      summary: 'Says for the shop that it does not pay, and why.',
    },
    doubt: {
      params: { no: z.coerce.number<unknown>().int().positive() },
      body: z.strictObject({}),
      reply: Return,
      summary: 'Says that no one knows whether the shop has paid. Only a person or the shop ends the doubt.',
    },
    shopReturns: {
      query: pageQuery.extend({ state: z.enum(['proposed', 'open', 'all']).default('proposed') }),
      reply: page(ShopReturn),
      summary: 'Returns of the shop: those with a proposed refund, all open ones, or all.',
    },
    shopMoney: {
      params: { rma_no: text(20) },
      body: z
        .strictObject({
          state: z.enum(['confirmed', 'denied']),
          /** Which proposal; without it the one that is open. */
          no: z.number().int().positive().optional(),
          reference: text(returnLimits.reference).optional(),
          /** What the shop paid, in minor units; it may differ from the proposal. */
          amount: amount.optional(),
          reason: optionalReason.optional(),
        })
        .superRefine((body, context) => {
          if (body.state === 'confirmed' && !body.reference)
            context.addIssue({ code: 'custom', path: ['reference'], message: 'Enter the reference of the refund' })
          if (body.state === 'denied' && !body.reason) context.addIssue({ code: 'custom', path: ['reason'], message: 'Give a reason' })
        }),
      reply: ShopReturn,
      summary: 'The shop’s answer to a proposed refund. The same reference again changes nothing.',
    },
  },
} satisfies ContractSchemas
