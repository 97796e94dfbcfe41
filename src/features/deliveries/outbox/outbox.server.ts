/** The outbox takes every kind of event that is delivered, in the statement that records it. */
import type { FeatureModule } from '#platform/http/feature-module.ts'
import { outboxSteps } from './outbox.commands.ts'
import { outboxKinds } from './public-events.rules.ts'

export const outboxServer: FeatureModule = {
  calls: {},
  handlers: {},
  eventSteps: { kinds: new Set(outboxKinds), text: outboxSteps },
}
