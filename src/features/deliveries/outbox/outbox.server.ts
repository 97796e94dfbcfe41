/** The outbox takes every public kind of event, in the statement that records it. */
import type { FeatureModule } from '#platform/http/feature-module.ts'
import { outboxSteps } from './outbox.commands.ts'
import { publicKinds } from './public-events.rules.ts'

export const outboxServer: FeatureModule = {
  calls: {},
  handlers: {},
  eventSteps: { kinds: new Set(publicKinds), text: outboxSteps },
}
