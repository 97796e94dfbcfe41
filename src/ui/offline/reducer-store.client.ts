/** A store around a pure reducer: it runs events one after the other, hands effects out and lets screens watch the state. */

interface Step<State, Effect> {
  state: State
  effects: readonly Effect[]
}

export interface ReducerStore<State, Event> {
  read: () => State
  /** An event that an effect raises comes after those that wait already. */
  dispatch: (event: Event) => void
  subscribe: (watcher: () => void) => () => void
}

/** `reduce` may read the present (time, user, device) but changes nothing; `run` carries out one effect. */
export function createReducerStore<State, Event, Effect>(
  initial: State,
  reduce: (state: State, event: Event) => Step<State, Effect>,
  run: (effect: Effect) => void,
): ReducerStore<State, Event> {
  let state = initial
  const watchers = new Set<() => void>()
  const events: Event[] = []
  let running = false
  return {
    read: () => state,
    dispatch(event) {
      events.push(event)
      if (running) return
      running = true
      try {
        for (let next = events.shift(); next !== undefined; next = events.shift()) {
          const result = reduce(state, next)
          const changed = result.state !== state
          state = result.state
          for (const effect of result.effects) run(effect)
          if (changed) for (const watcher of watchers) watcher()
        }
      } finally {
        running = false
      }
    },
    subscribe(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}
