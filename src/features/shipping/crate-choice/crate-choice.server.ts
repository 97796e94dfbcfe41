/** Suggested crates: handlers. */
import { implement } from '#platform/http/feature-module.ts'
import { crateChoice } from './crate-choice.contract.ts'
import { crateInput, productsInput } from './crate-choice.queries.ts'
import { suggestCrates, whyNot } from './crate-choice.rules.ts'
import { crateChoiceSchemas, type SuggestedCrates } from './crate-choice.schemas.ts'

export const crateChoiceServer = implement(crateChoice, crateChoiceSchemas, {
  async preview({ body: { order_id, order_no, items: products } }, { db, principal, now }) {
    const input = products
      ? await productsInput(db, principal.company.id, products, now())
      : await crateInput(db, order_id === undefined ? { order_no: order_no ?? '' } : { order_id }, now())
    const { crates, items, currency, lines, left_out, order } = input
    const suggestion = suggestCrates(crates, items)
    const { status, crates: suggested, too_large } = suggestion
    return {
      status,
      order,
      lines: lines.map(({ id, ...line }) => ({ order_item_id: id, ...line })),
      others: [...whyNot(crates, items, suggestion), ...left_out].map(({ crate: { id, name, code }, why, item }) => ({
        crate: { id, name, code },
        why,
        order_item_id: item,
      })),
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
