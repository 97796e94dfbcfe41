/** Exceptions: handlers, and what happens to orders that opens and ends them. */
import { unprocessable } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { isOneOf } from '#domain/objects.ts'
import { changeSettingGroup } from '#features/company/companies/companies.commands.ts'
import { settingGroup } from '#features/company/companies/companies.queries.ts'
import { groupIdsOf, groupsWith, peopleWith } from '#features/company/users/credentials.queries.ts'
import { changeEach } from '#platform/http/change-each.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type ExternalContext, implement, type RecordedEvent } from '#platform/http/feature-module.ts'
import { exceptionKinds, type LabelKind } from '../packing/packing.codes.ts'
import { refusalOf, refusedParcel } from '../packing/retry-labels.server.ts'
import { decideException } from './decide-exception.commands.ts'
import { decisionsOn } from './exception-decisions.queries.ts'
import { type BulkResolution, bulkResolutions, fitsKind, isOfLabel } from './exceptions.codes.ts'
import {
  addNote,
  assignException,
  endExceptions,
  endRetries,
  followRetries,
  releaseOfGroups,
  reportException,
  takeOver,
} from './exceptions.commands.ts'
import { exceptionReaders, exceptions } from './exceptions.contract.ts'
import { exceptionById, exceptionsById, exceptionsPage, openCounts } from './exceptions.queries.ts'
import { kindOfRefusal } from './exceptions.rules.ts'
import { exceptionsSchemas } from './exceptions.schemas.ts'

const mostExported = 10_000
const noOwner = 'This person cannot take exceptions over'
const noGroup = 'No one in this group can see exceptions'

const viewerOf = async ({ db, principal, now }: Context) => ({
  user_id: principal.id,
  group_ids: await groupIdsOf(db, principal.id),
  now: now(),
})

export const exceptionsServer = implement(
  exceptions,
  exceptionsSchemas,
  {
    async list({ page, limit, ...question }, context) {
      const offset = pageOffset({ page, limit })
      return { ...(await exceptionsPage(context.db, question, await viewerOf(context), { offset, limit })), offset, limit }
    },

    count: async (_, context) => openCounts(context.db, await viewerOf(context)),
    owners: (_, { db, principal }) => peopleWith(db, principal.company.id, exceptionReaders),
    ownerGroups: (_, { db, principal }) => groupsWith(db, [principal.company.id], exceptionReaders),
    async get({ id }, context) {
      const exception = await exceptionById(context.db, id)
      const { lines, possible } = await decisionsOn(context, exception)
      return {
        ...exception,
        missing: lines.reduce((sum, line) => sum + line.quantity, 0),
        label: isOfLabel(exception.kind) ? await refusalOf(context.db, exception.order_id) : null,
        possible: possible.map(({ resolution, refused }) => ({
          resolution,
          refused: refused && { key: refused.text, values: refused.values },
        })),
      }
    },

    settings: (_, { db, principal }) => settingGroup(db, principal.company.id, 'exceptions'),

    async setSettings({ body }, { db, principal, recordEvent, notify, now }) {
      const before = await settingGroup(db, principal.company.id, 'exceptions')
      const possible = await peopleWith(db, principal.company.id, exceptionReaders)
      const isWrong = exceptionKinds.some(kind => {
        const user_id = body.owners[kind]
        return user_id !== undefined && user_id !== before.owners[kind] && !possible.some(person => person.id === user_id)
      })
      const groups = await groupsWith(db, [principal.company.id], exceptionReaders)
      const hasWrongGroup = exceptionKinds.some(kind => {
        const group_id = body.owner_groups[kind]
        return group_id !== undefined && group_id !== before.owner_groups[kind] && !groups.some(group => group.id === group_id)
      })
      if (hasWrongGroup) throw unprocessable('owner_group_not_found', noGroup, {}, { fields: { owners: noGroup } })
      if (isWrong) throw unprocessable('owner_not_found', noOwner, {}, { fields: { owners: noOwner } })
      const by = { name: principal.name, at: now() }
      const saved = await changeSettingGroup(db, principal.company.id, 'exceptions', body, by)
      await recordEvent({ kind: 'exception_settings.set', subject: 'company', subject_id: principal.company.id })
      notify('company')
      return saved
    },

    async assign({ id, body }, context) {
      await assignException(context, id, body)
      return exceptionById(context.db, id)
    },

    async note({ id, body }, context) {
      await addNote(context, id, body.note)
      return exceptionById(context.db, id)
    },

    async resolve({ id, body }, context) {
      await decideException(context, id, body)
      return exceptionById(context.db, id)
    },

    assignMany: ({ body: { ids, user_id } }, outside) => changed(outside, ids, (context, id) => assignException(context, id, { user_id })),

    async decisions({ ids = [] }, { db }) {
      const rows = await exceptionsById(db, ids)
      const fits = (resolution: BulkResolution) => rows.every(row => row.resolved_at === null && fitsKind(resolution, row.kind))
      return { resolutions: rows.length === 0 ? [] : bulkResolutions.filter(fits) }
    },

    resolveMany: ({ body: { ids, note, resolution } }, outside) =>
      changed(outside, ids, (context, id) => decideException(context, id, { note, resolution })),

    async exportAll(question, context) {
      const { rows } = await exceptionsPage(context.db, question, await viewerOf(context), { offset: 0, limit: mostExported })
      const head = ['order_no', 'company', 'kind', 'item', 'note', 'field', 'reports', 'reported_by', 'station', 'reported_at'] as const
      const tail = ['owner_name', 'due_at', 'ship_by', 'state', 'resolution', 'resolved_by', 'resolved_at'] as const
      const columns = [...head, ...tail]
      return {
        bytes: csv(
          columns,
          rows.map(row => columns.map(column => row[column])),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `exceptions-${context.now().toISOString().slice(0, 10)}.csv`,
      }
    },
  },
  {
    async 'packing.parked'(events, context) {
      for (const { order_id, company_id, data } of events)
        if (order_id !== null)
          await reportException(context, {
            order_id,
            company_id,
            kind:
              data.kind === 'label_error'
                ? await kindOfFailedLabel(context.db, order_id)
                : isOneOf(exceptionKinds, data.kind)
                  ? data.kind
                  : 'other',
            order_line_id: data.order_line_id ?? null,
            note: data.reason,
            reported_by: context.principal.name,
            station: context.station || null,
          })
    },
    'group.removed': (events, context) =>
      releaseOfGroups(
        context,
        events.flatMap(event => event.subject_id ?? []),
      ),
    'label.failed': reportFailedLabels,
    'shipment.settled': reportFailedLabels,
    'shipment.booked': (events, context) => endExceptions(context, ordersOf(events), 'label_booked'),
    'order.packed': (events, context) => endExceptions(context, ordersOf(events), 'packed'),
    'order.packed_in_part': (events, context) => endExceptions(context, ordersOf(events), 'packed'),
    'order.cancelled': (events, context) => endExceptions(context, ordersOf(events), 'order_cancelled'),
    'label.stopped': (events, context) => endRetries(context, ordersOf(events)),
    'packing.aborted': (events, context) => endRetries(context, ordersOf(events)),
    'packing.resumed': (events, context) => takeOver(context, ordersOf(events)),
    'packing.taken_over': (events, context) => takeOver(context, ordersOf(events)),
  },
)

/** Each in a transaction of its own, and what has become of each. */
async function changed(outside: ExternalContext, ids: readonly number[], step: (context: Context, id: number) => Promise<void>) {
  const { results } = await changeEach(outside, 'exception', ids, step)
  const now = new Map((await outside.transaction(({ db }) => exceptionsById(db, ids))).map(one => [one.id, one]))
  return {
    results: results.map(result => {
      const exception = now.get(result.id)
      return {
        ...result,
        order_no: exception?.order_no ?? '',
        outcome: result.done ? (exception?.resolution ?? exception?.retry ?? null) : null,
      }
    }),
  }
}

const ordersOf = (events: readonly RecordedEvent[]): number[] => [...new Set(events.flatMap(event => event.order_id ?? []))]

/** A packer moves an order on whose label was refused: it joins the exception of that refusal. */
async function kindOfFailedLabel(db: Context['db'], order_id: number): Promise<LabelKind> {
  const failed = await refusedParcel(db, order_id)
  return failed ? kindOfRefusal(failed) : 'label_error'
}

/** A parcel of a packing session whose label could not be had; other shipments concern no station. */
async function reportFailedLabels(events: readonly RecordedEvent<'label.failed' | 'shipment.settled'>[], context: Context): Promise<void> {
  for (const { subject_id } of events) {
    const parcel = await context.db
      .selectFrom('shipments as s')
      .innerJoin('packing_sessions as p', 'p.id', 's.session_id')
      .select(['s.order_id', 's.company_id', 's.error', 's.error_code', 's.error_field', 'p.user_name', 'p.station'])
      .where('s.id', '=', subject_id ?? 0)
      .where('s.operation_code', '=', 'outbound')
      // The packer still has the order at hand, and its label is tried again when it is closed.
      .where(eb => eb.or([eb('p.ended_at', 'is not', null), eb('p.state', '<>', 'open')]))
      .executeTakeFirst()
    if (!parcel || parcel.order_id === null) continue
    const kind = kindOfRefusal(parcel)
    await followRetries(context, parcel.order_id, kind)
    await reportException(context, {
      order_id: parcel.order_id,
      company_id: parcel.company_id,
      kind,
      note: parcel.error ?? '',
      field: parcel.error_field,
      reported_by: parcel.user_name,
      station: parcel.station,
    })
  }
}
