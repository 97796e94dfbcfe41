import { describe, expect, it } from 'vitest'
import { CallError, errorFrom, noAnswer, sentenceIn, tooLate } from './call-error.ts'

describe('the message of a failed call', () => {
  it('is the status, the reason phrase in capitals, and the capitalised text of the server', () => {
    expect(errorFrom(404, 'text/plain', 'order not found').formatted).toBe('404: NOT FOUND - Order not found')
  })

  it('ends after the reason phrase when the server sends a page instead of a sentence', () => {
    expect(errorFrom(502, 'text/html', '<html><body><h1>Bad gateway</h1></body></html>').formatted).toBe('502: BAD GATEWAY')
  })

  it('takes the text out of a paragraph', () => {
    expect(sentenceIn('<html><p class="x">The shop is closed</p></html>')).toBe('The shop is closed')
  })

  it('fills the places of a sentence and keeps the sentence with places for translation', () => {
    const body = JSON.stringify({
      code: 'order_busy',
      message: 'Mette has it',
      key: '{{name}} has it',
      values: { name: 'Mette' },
      fields: {},
      current: null,
    })
    const error = errorFrom(423, 'application/json; charset=utf-8', body)
    expect(error.formatted).toBe('423: LOCKED - Mette has it')
    expect(error.code).toBe('order_busy')
    expect(error.key).toBe('{{name}} has it')
    expect(error.values).toEqual({ name: 'Mette' })
  })

  it('brings the fields and the current state along', () => {
    const error = errorFrom(
      409,
      'application/json',
      JSON.stringify({ key: 'Changed', fields: { name: 'Picked' }, current: { version: 3 } }),
    )
    expect(error.fields).toEqual({ name: 'Picked' })
    expect(error.current).toEqual({ version: 3 })
  })

  it('survives an answer that calls itself JSON and is none', () => {
    expect(errorFrom(500, 'application/json', '{"key":').formatted).toBe('500: INTERNAL SERVER ERROR')
    expect(errorFrom(500, 'application/json', 'null').formatted).toBe('500: INTERNAL SERVER ERROR')
  })

  it('is 444 without an answer and 408 when it took too long', () => {
    expect(noAnswer().formatted).toBe('444: CONNECTION CLOSED WITHOUT RESPONSE')
    expect(tooLate().formatted).toBe('408: REQUEST TIMEOUT')
  })

  it('names an unknown status as such', () => {
    expect(new CallError(599).formatted).toBe('599: NETWORK CONNECT TIMEOUT ERROR')
    expect(new CallError(477).formatted).toBe('477: UNKNOWN')
  })
})
