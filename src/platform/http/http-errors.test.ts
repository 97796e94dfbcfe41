/** What a failure of the database is in words. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { Db } from '#platform/database/database.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { toAppError } from './http-errors.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
})
afterAll(() => testApp.close())

async function refused(work: (db: Db) => Promise<unknown>): Promise<[number, string, boolean]> {
  const error = await testApp.services.database.transaction(scopeOfCompany(operator), work).then(
    () => {
      throw new Error('It was not refused')
    },
    (thrown: unknown) => thrown,
  )
  const { refusal, unexpected } = toAppError(error, 'r1')
  return [refusal.status, refusal.message, unexpected]
}
const raised = (code: string) => (db: Db) =>
  sql`do $$ begin raise exception 'secret inside' using errcode = '${sql.raw(code)}'; end $$`.execute(db)

describe('a failure of the database', () => {
  it.each([
    ['53100', 503, 'The disk of the server is full. Nothing was changed. Someone has to make room there.'],
    ['53300', 503, 'The database does not answer at the moment. Nothing was changed. Try again.'],
    ['57P01', 503, 'The database does not answer at the moment. Nothing was changed. Try again.'],
    ['57014', 503, 'This took too long and was stopped. Nothing was changed.'],
    ['40P01', 409, 'Someone else is changing this right now. Try again.'],
    ['40001', 409, 'Someone else is changing this right now. Try again.'],
    ['23505', 409, 'This exists already'],
    ['23503', 409, 'Something else still needs this'],
    ['22003', 400, 'A number is too large'],
  ])('with code %s is %i: %s', async (code, status, sentence) => {
    expect(await refused(raised(code))).toEqual([status, sentence, false])
  })

  it('that is unexpected gives its number and nothing of what it was', async () => {
    expect(await refused(raised('XX001'))).toEqual([500, 'Something went wrong on the server. Nothing was changed. Reference: r1', true])
  })

  it('at a character that it cannot keep is reported as such', async () => {
    const sentence = [400, 'It holds a character that cannot be stored', false]
    expect(await refused(db => sql`select ${'a\u0000b'}::text`.execute(db))).toEqual(sentence)
    expect(await refused(db => sql`select ${'{"a":"\\u0000"}'}::jsonb ->> 'a'`.execute(db))).toEqual(sentence)
  })

  it('at a number that is too large is reported as such', async () => {
    expect(await refused(db => sql`select ${'99999999999'}::integer`.execute(db))).toEqual([400, 'A number is too large', false])
  })
})

describe('a refusal', () => {
  const asked = (accept?: string) =>
    testApp.app.inject({
      url: `/api/${operator.main.code}/no_such_call`,
      headers: { host: `${operator.main.code}.localhost`, ...(accept && { accept }) },
    })
  const message = 'There is nothing at this address'

  it('is its sentence as plain text by default', async () => {
    const answer = await asked()
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toBe(message)
  })

  it('has a code, the sentence, its key and values, and fields as JSON', async () => {
    const answer = await asked('application/json')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({ code: 'address_not_found', message, key: message, values: {}, fields: {} })
  })

  it('is problem details of RFC 9457 on request', async () => {
    const answer = await asked('application/problem+json')
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: message,
      code: 'address_not_found',
      key: message,
      values: {},
      fields: {},
    })
  })
})
