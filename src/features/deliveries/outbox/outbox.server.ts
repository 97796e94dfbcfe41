/** Subscribes the outbox to every public kind of event. */
import type { AnyEventHandler, FeatureModule } from '#platform/http/feature-module.ts'
import { writeOutbox } from './outbox.commands.ts'
import { outboxEventOf, publicKinds } from './public-events.rules.ts'

const toOutbox =
  (kind: (typeof publicKinds)[number]): AnyEventHandler =>
  (events, { db, now }) =>
    writeOutbox(
      db,
      events.flatMap(event => outboxEventOf({ ...event, kind }) ?? []),
      now(),
    )

export const outboxServer: FeatureModule = {
  calls: {},
  handlers: {},
  subscribe: Object.fromEntries(publicKinds.map(kind => [kind, toOutbox(kind)])),
}
