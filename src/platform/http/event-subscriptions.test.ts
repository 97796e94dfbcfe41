/** Subscriptions: what features do in the transaction in which another feature records an event. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { eventUses } from '../../../scripts/events.ts'
import { createSystemContext } from './context.ts'
import { collectSubscribers } from './event-subscriptions.ts'
import type { RecordedEvent, Subscriptions } from './feature-module.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
})
afterAll(() => testApp.close())

const contextWith = (...subscribe: Subscriptions[]) =>
  createSystemContext(
    { ...testApp.services, subscribers: collectSubscribers(subscribe.map(one => ({ subscribe: one }))) },
    scopeOfCompany(operator),
  )
const kindsStored = (subject: string) =>
  testApp.services.database.readOnly(scopeOfCompany(operator), db =>
    db.selectFrom('events').select('kind').where('subject', '=', subject).orderBy('id').execute(),
  )

describe('a subscriber', () => {
  it('gets the event in the same transaction and sees what was changed before it', async () => {
    let seen: { event: RecordedEvent | undefined; stored: number } | undefined
    const context = contextWith({
      'pin.set': async ([event], { db }) => {
        const rows = await db.selectFrom('events').select('id').where('subject', '=', 'first').execute()
        seen = { event, stored: rows.length }
      },
    })
    await context.transaction(({ recordEvent }) => recordEvent({ kind: 'pin.set', subject: 'first', subject_id: 7 }))
    expect(seen).toEqual({
      event: { kind: 'pin.set', order_id: null, company_id: operator.main.id, subject: 'first', subject_id: 7, data: {} },
      stored: 1,
    })
  })

  it('refuses the change by throwing: nothing of it is stored', async () => {
    const context = contextWith({
      'pin.set': async () => {
        throw new Error('not now')
      },
    })
    await expect(context.transaction(({ recordEvent }) => recordEvent({ kind: 'pin.set', subject: 'refused' }))).rejects.toThrow('not now')
    expect(await kindsStored('refused')).toEqual([])
  })

  it('gets many events of one change together, and only those of its kind', async () => {
    const calls: (number | null)[][] = []
    const context = contextWith({ 'pin.set': async events => void calls.push(events.map(event => event.subject_id)) })
    await context.transaction(({ recordEvents }) =>
      recordEvents([
        { kind: 'pin.set', subject: 'many', subject_id: 1 },
        { kind: 'pin.removed', subject: 'many', subject_id: 2 },
        { kind: 'pin.set', subject: 'many', subject_id: 3 },
      ]),
    )
    expect(calls).toEqual([[1, 3]])
    expect(await kindsStored('many')).toEqual([{ kind: 'pin.set' }, { kind: 'pin.removed' }, { kind: 'pin.set' }])
  })

  it('may record events of its own: their subscribers run before the next one of the first event', async () => {
    const order: string[] = []
    const context = contextWith(
      {
        'pin.set': async (_, { recordEvent }) => {
          order.push('first feature')
          await recordEvent({ kind: 'pin.removed', subject: 'chain' })
        },
      },
      { 'pin.set': async () => void order.push('second feature'), 'pin.removed': async () => void order.push('its own event') },
    )
    await context.transaction(({ recordEvent }) => recordEvent({ kind: 'pin.set', subject: 'chain' }))
    expect(order).toEqual(['first feature', 'its own event', 'second feature'])
  })
})

describe('the list of event kinds', () => {
  it('holds no kind that no feature records', async () => {
    const unused = (await eventUses()).filter(use => use.publishers.length === 0).map(use => use.kind)
    expect(unused).toEqual([])
  })
})
