/** The store of the packing station and the phone picker. */
import { expect, it } from 'vitest'
import { createReducerStore } from './reducer-store.client.ts'

const counter = (ran: string[] = []) => {
  const store = createReducerStore<number, string, string>(
    0,
    (state, event) => ({ state: event === 'idle' ? state : state + 1, effects: event === 'first' ? ['raise', 'note'] : [] }),
    effect => {
      ran.push(`${effect} at ${store.read()}`)
      if (effect === 'raise') store.dispatch('raised')
    },
  )
  return store
}

it('runs an event that an effect raises after the other effects', () => {
  const ran: string[] = []
  const store = counter(ran)
  store.dispatch('first')
  expect(ran).toEqual(['raise at 1', 'note at 1'])
  expect(store.read()).toBe(2)
})

it('calls watchers for a changed state only, until they leave', () => {
  const store = counter()
  let calls = 0
  const leave = store.subscribe(() => void calls++)
  store.dispatch('idle')
  store.dispatch('next')
  leave()
  store.dispatch('next')
  expect(calls).toBe(1)
})

it('goes on after an effect that fails', () => {
  const store = createReducerStore<number, string, string>(
    0,
    (state, event) => ({ state: state + 1, effects: event === 'bad' ? ['fail'] : [] }),
    () => {
      throw new Error('failed')
    },
  )
  expect(() => store.dispatch('bad')).toThrow('failed')
  store.dispatch('next')
  expect(store.read()).toBe(2)
})
