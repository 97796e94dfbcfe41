/** Picking: the calls of the picker's phone. */
import { sql } from 'kysely'
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { wagonTopic } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import { writeScan } from '#features/warehouse/pick-lists/pick-scans.commands.ts'
import {
  claimWagon,
  freeUnbegunWagons,
  join,
  leave,
  pauseIdleWagons,
  peopleOn,
} from '#features/warehouse/pick-lists/wagon-pickers.commands.ts'
import { addShortPhoto } from '#features/warehouse/pick-tasks/shorts.commands.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { implement, type Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { takeEvent } from './apply-event.server.ts'
import { claimScan } from './handle-event.server.ts'
import { picking } from './picking.contract.ts'
import { idleMinutes, sentences, unbegunMinutes } from './picking.rules.ts'
import { pickingSchemas } from './picking.schemas.ts'
import { isIdle, otherWagonOf, wagonCards, wagonFor } from './wagons.queries.ts'

/** Longest side of a photo, in pixels. */
const photoSide = 1_600

export const pickingServer = implement(picking, pickingSchemas, {
  async wagons(_, { db, principal, now }) {
    const cards = await wagonCards(db, now())
    const plain = ({ user_ids: _ids, ...card }: (typeof cards)[number]) => card
    const mine = cards.filter(card => card.user_ids.includes(principal.id))
    const rest = cards.filter(card => !card.user_ids.includes(principal.id))
    return {
      mine: [...mine.filter(card => card.state !== 'claimed'), ...mine.filter(card => card.state === 'claimed')].map(plain),
      free: rest.filter(card => card.user_ids.length === 0).map(plain),
      others: rest.filter(card => card.user_ids.length > 0).map(plain),
    }
  },

  async claim({ pick_list_id, wagon_no, body }, context) {
    const { db, principal, now, recordEvent, notify } = context
    const key = { pick_list_id, wagon_no }
    // One claim of one person at a time, from however many phones.
    await db.selectFrom('users').select('id').where('id', '=', principal.id).forNoKeyUpdate().executeTakeFirst()
    const wagon = orNotFound(
      await db
        .selectFrom('pick_wagons')
        .select(['state', 'user_id', 'user_name', 'last_at', 'started_at'])
        .where('pick_list_id', '=', pick_list_id)
        .where('wagon_no', '=', wagon_no)
        .forNoKeyUpdate()
        .executeTakeFirst(),
      'wagon_not_found',
      'Wagon not found',
    )
    const people = await peopleOn(db, key)
    const shown = async () => orNotFound(await wagonFor(db, key, principal.id, now()), 'wagon_not_found', 'Wagon not found')
    if (people.some(one => one.user_id === principal.id)) return shown()
    if (wagon.state === 'cancelled') throw conflict('pick_list_cancelled', sentences.listCancelled)
    if (!['open', 'claimed', 'picking', 'paused'].includes(wagon.state)) throw conflict('wagon_finished', sentences.wagonOver)
    const other = await otherWagonOf(db, principal.id, key)
    if (other)
      throw conflict('other_wagon_claimed', sentences.oneWagon, { wagon: other.wagon_no, list: other.pick_list_id }, { current: other })

    const [leader] = people
    if (leader && !body.join && !body.take_over)
      throw conflict(
        'wagon_claimed',
        sentences.running,
        { name: leader.user_name },
        {
          current: {
            user_name: leader.user_name,
            last_at: wagon.last_at,
            idle: wagon.state === 'paused' || isIdle(wagon.last_at, now()),
          },
        },
      )
    const joins = leader !== undefined && body.join
    if (leader && !joins) await leave(context, key, { but: principal.id })
    await join(context, key, principal)
    const how = joins ? 'joined' : leader ? 'taken_over' : 'claimed'
    if (!joins) await claimWagon(db, key, { user: principal, begun: wagon.started_at !== null, now: now() })
    await writeScan(db, claimScan(key, principal, how, now()))
    await settleList(context, pick_list_id, wagon_no)
    await recordEvent({
      kind: `pick_wagon.${how}`,
      subject: 'pick_list',
      subject_id: pick_list_id,
      data: { wagon: wagon_no, ...(leader && !joins ? { from: leader.user_name } : {}) },
    })
    notify('pick_wagon', wagonTopic(key))
    return shown()
  },

  wagon: async ({ pick_list_id, wagon_no }, { db, principal, now }) =>
    orNotFound(await wagonFor(db, { pick_list_id, wagon_no }, principal.id, now()), 'wagon_not_found', 'Wagon not found'),

  async send({ pick_list_id, wagon_no, body }, outside) {
    const answers = []
    // One after the other: the order of a phone's events is kept.
    for (const event of body.events) answers.push(await takeEvent(outside, { pick_list_id, wagon_no }, event))
    return { answers, now: outside.now().toISOString() }
  },

  async photo({ pick_list_id, wagon_no, event, upload }, { transaction, services, scope, principal }) {
    const short = await transaction(async ({ db }) => {
      const row = await db
        .selectFrom('pick_scans')
        .select(['order_id', 'order_company_id', sql<number | null>`(answer->>'short_id')::bigint`.as('short_id')])
        .where('id', '=', event)
        .where('pick_list_id', '=', pick_list_id)
        .where('wagon_no', '=', wagon_no)
        .where('user_id', '=', principal.id)
        .where('kind', '=', 'short')
        .executeTakeFirst()
      return row?.short_id && row.order_company_id
        ? { id: row.short_id, company_id: row.order_company_id, order_id: row.order_id }
        : undefined
    })
    if (!short) throw notFound('short_not_found', 'Short not found')
    const picture = await sanitizeImage(upload.content, { longest: photoSide, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, picture.bytes)
    return transaction(async ({ db, notify }) => {
      const file_id = await recordFile(db, stored, {
        media_type: picture.media_type,
        name: `short-${short.id}.webp`,
        company_id: short.company_id,
        order_id: short.order_id,
      })
      await addShortPhoto({ db, notify: notify }, short.id, file_id)
      return { short_id: short.id }
    })
  },
})

/** Wagons that somebody claimed and forgot wait for anybody again. */
export const freeUnbegun: ScheduledTask = {
  name: 'free wagons that were claimed and never begun',
  seconds: 60,
  async run(services) {
    const freed = await services.database.systemTransaction('the clock knows no tenant', db =>
      freeUnbegunWagons(db, minutesAgo(services, unbegunMinutes)),
    )
    notifyLists(services, freed)
  },
}

const minutesAgo = (services: Services, minutes: number): Date => new Date(services.now().getTime() - minutes * 60_000)

const notifyLists = (services: Services, lists: readonly { operator_id: number; company_id: number; pick_list_id: number }[]): void =>
  services.notifier.publish(
    lists.map(({ operator_id, company_id, pick_list_id }) => ({ topic: 'pick_list', id: pick_list_id, operator_id, company_id })),
  )

/** Wagons that stand still are anybody's after a while, and their pickers' breaks are counted as such. */
export const pauseIdle: ScheduledTask = {
  name: 'pause idle wagons',
  seconds: 60,
  async run(services) {
    const paused = await services.database.systemTransaction('the clock knows no tenant', db =>
      pauseIdleWagons(db, minutesAgo(services, idleMinutes)),
    )
    notifyLists(services, paused)
  },
}
