/** Suggested crates: handlers. */
import { implement } from '#platform/http/feature-module.ts'
import { crateChoice } from './crate-choice.contract.ts'
import { crateInput } from './crate-choice.queries.ts'
import { suggestCrates } from './crate-choice.rules.ts'
import { crateChoiceSchemas, type SuggestedCrates } from './crate-choice.schemas.ts'

export const crateChoiceServer = implement(crateChoice, crateChoiceSchemas, {
  async preview({ body: { order_id } }, { db, now }) {
    const { crates, items, currency } = await crateInput(db, order_id, now())
    const { status, crates: suggested, too_large } = suggestCrates(crates, items)
    return {
      status,
      crates: suggested.map(
        ({
          crate: {
            id,
            name,
            code,
            inner_mm: [length, width, height],
          },
          fill_percent,
          weight_g,
          items: placed,
        }): SuggestedCrates['crates'][number] => ({
          crate: { id, name, code, inner_mm: [length, width, height] },
          fill_percent,
          weight_g,
          items: placed.map(({ id: line, at, size }) => ({ order_item_id: Number(line), at, size })),
        }),
      ),
      cost:
        suggested.length > 0 && currency !== null ? { amount: suggested.reduce((sum, { crate }) => sum + crate.cost, 0), currency } : null,
      without_size: items.filter(item => item.size_mm === null).map(item => item.id),
      too_large,
    }
  },
})
