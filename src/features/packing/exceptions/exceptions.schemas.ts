/** Schemas of the calls in exceptions.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { idAsked, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { ExceptionSettings, VersionRead, versioned } from '#features/company/companies/companies.schemas.ts'
import { Phase } from '#features/orders/orders/orders.schemas.ts'
import {
  bulkResolutions,
  decidedResolutions,
  exceptionKinds,
  exceptionStates,
  exceptionViews,
  resolutions,
  retries,
} from './exceptions.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const version = z.number().int().positive()

export const Exception = z.object({
  id,
  kind: z.enum(exceptionKinds),
  state: z.enum(exceptionStates),
  order_id: id,
  order_no: z.string(),
  company_id: id,
  company: z.string(),
  phase: Phase,
  ship_by: z.string().nullable(),
  customer_name: z.string(),
  /** The product that the problem is about. */
  item: z.string().nullable(),
  /** What the courier or the packer said, one line each time it was reported. */
  note: z.string(),
  /** The field that the courier refused. */
  field: z.string().nullable(),
  reports: id,
  reported_by: z.string(),
  reported_at: z.string(),
  station: z.string().nullable(),
  /** Digits of the totes in which the goods lie. */
  totes: z.array(z.string()),
  owner_user_id: id.nullable(),
  /** The group of which a member takes it; `owner_name` is the name of the person, else of the group. */
  owner_group_id: id.nullable(),
  owner_name: z.string().nullable(),
  due_at: z.string(),
  /** Its label is tried again, and who asked for it; null once the courier has answered. */
  retry: z.enum(retries).nullable(),
  retried_by: z.string().nullable(),
  resolution: z.enum(resolutions).nullable(),
  resolved_by: z.string().nullable(),
  resolved_at: z.string().nullable(),
  version: id,
})
export type Exception = z.infer<typeof Exception>

/** What can be decided about its order now, or the sentence that says why not. */
const PossibleResolution = z.object({
  resolution: z.enum(decidedResolutions),
  refused: z.object({ key: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
})

/** What the courier refused of the parcel: the field in the courier's request, and the line of the order that it means. */
const RefusedLabel = z.object({ field: z.string().nullable(), weight_g: id.nullable(), order_line_id: id.nullable() })
export type RefusedLabel = z.infer<typeof RefusedLabel>

/** `missing`: pieces that the exception is about, and that are not packed. `label`: of an exception about a label. */
const ExceptionDetails = Exception.extend({ missing: id, possible: z.array(PossibleResolution), label: RefusedLabel.nullable() })
export type ExceptionDetails = z.infer<typeof ExceptionDetails>

const Question = z.object({
  /** Order number or code, PP code, product, or owner. */
  query: z.string().max(200).default(''),
  view: z.enum(exceptionViews).default('open'),
  kind: listParam(z.enum(exceptionKinds)),
  company: listParam(idAsked, 50),
})
export type Question = z.infer<typeof Question>

const note = text(limits.note).default('')
const ids = z.array(idIn).min(1).max(500)
/** Of the person who takes it over; null takes the owner away. */
const owner = idIn.nullable()

const ExceptionResult = z.object({
  id,
  order_no: z.string(),
  done: z.boolean(),
  /** Why not, as a sentence and as its key with values. */
  message: z.string().nullable(),
  key: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  /** What has become of it: how it ended, or that its label is tried again. */
  outcome: z.enum(resolutions).nullable(),
})
export type ExceptionResult = z.infer<typeof ExceptionResult>
const Results = z.object({ results: z.array(ExceptionResult) })

const VersionedExceptionSettings = versioned(ExceptionSettings)

export const exceptionsSchemas = {
  components: { Exception, ExceptionDetails, ExceptionResult, ExceptionSettings: VersionedExceptionSettings },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(Exception),
      summary: 'Orders set aside at the stations: what is due first, or what was resolved last.',
    },
    count: {
      reply: z.object({ open: id, mine: id, unassigned: id, overdue: id, mine_overdue: id, label_error: id }),
      summary: 'How many exceptions are open. `mine`: the caller’s own and those of the caller’s groups.',
    },
    owners: {
      reply: z.array(z.object({ id, name: z.string() })),
      summary: 'People who may take an exception over.',
    },
    ownerGroups: {
      reply: z.array(z.object({ id, name: z.string() })),
      summary: 'Groups of users that may own exceptions: of which a member may see them.',
    },
    settings: {
      reply: VersionedExceptionSettings,
      summary: 'Minutes until each kind of exception is due, the hours in which they count, and who owns each kind.',
    },
    setSettings: {
      body: z
        .strictObject({ ...ExceptionSettings.shape, version: VersionRead })
        .refine(({ from, to }) => from < to, { path: ['to'], message: 'The stations close after they open' })
        .refine(
          ({ owners, owner_groups }) => exceptionKinds.every(kind => owners[kind] === undefined || owner_groups[kind] === undefined),
          {
            path: ['owners'],
            message: 'Select a person or a group, not both',
          },
        ),
      reply: VersionedExceptionSettings,
      summary:
        'Sets minutes, hours and owners; exceptions that are open keep their time and owner. 409 with the present ones when the version is old, 422 for an owner, or a group of which no member, may see exceptions.',
    },
    exportAll: {
      query: Question,
      summary: 'The exceptions of a view, as CSV.',
    },
    assignMany: {
      body: z.strictObject({ ids, user_id: owner }),
      reply: Results,
      summary: 'Gives several exceptions to one person; each is a transaction of its own.',
    },
    decisions: {
      query: z.object({ ids: listParam(idAsked, 500) }),
      reply: z.object({ resolutions: z.array(z.enum(bulkResolutions)) }),
      summary: 'What can be decided about all of these exceptions at once, by their kinds; none of it where one of them is resolved.',
    },
    resolveMany: {
      body: z.strictObject({ ids, note, resolution: z.enum(['solved', ...bulkResolutions]).default('solved') }),
      reply: Results,
      summary: 'Decides about several exceptions; each is a transaction of its own, and says what was done or why it was refused.',
    },
    get: {
      reply: ExceptionDetails,
      summary: 'One exception, with what the caller can decide about its order.',
    },
    assign: {
      body: z.strictObject({ user_id: owner, version: version.optional() }),
      reply: Exception,
      summary: 'Gives the exception to a person, or takes the owner away.',
    },
    note: {
      body: z.strictObject({ note: text(limits.note).min(1, 'Write a note') }),
      reply: Exception,
      summary: 'Adds a note.',
    },
    resolve: {
      body: z.strictObject({
        note,
        version: version.optional(),
        resolution: z.enum(['solved', ...decidedResolutions]).default('solved'),
        weight_g: z.number().int().positive().max(2_000_000).optional(),
      }),
      reply: Exception,
      summary:
        'Resolves the exception; an order that was set aside waits for a station again. `refill` has the missing pieces picked again, `ship_partial` lets the order go without them now, `cancel_lines` cancels them, `order_cancelled` the order. `retry_label`, and `corrected_and_retried` after a correction (`weight_g` is that of the parcel), have a refused label made again: the exception is resolved when it is there, and stays open with the courier’s new words when it is refused again. 409 when it is resolved already or the order does not allow it.',
    },
  },
} satisfies ContractSchemas
