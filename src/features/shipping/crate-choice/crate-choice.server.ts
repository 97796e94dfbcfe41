/** Suggested crates: handlers. */
import { fromMinor } from '#domain/money.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { crateChoice } from './crate-choice.contract.ts'
import { crateInput, productsInput, suggestionOf } from './crate-choice.queries.ts'
import { whyNot } from './crate-choice.rules.ts'
import { crateChoiceSchemas, type SuggestedCrates } from './crate-choice.schemas.ts'
import { suggestAgain, suggestLater } from './crate-suggestions.commands.ts'
import { decideBasket } from './crate-use.commands.ts'
import { basketDeviations, crateTotals, crateUses } from './crate-use.queries.ts'

const mostExported = 5_000

export const crateChoiceServer = implement(
  crateChoice,
  crateChoiceSchemas,
  {
    async preview({ body: { order_id, order_no, items: products } }, { db, principal, now }) {
      const input = products
        ? await productsInput(db, principal.company.id, products, now())
        : await crateInput(db, order_id === undefined ? { order_no: order_no ?? '' } : { order_id }, now())
      const { crates, items, currency, lines, left_out, order } = input
      const suggestion = suggestionOf(input)
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
            postage,
            items: placed,
          }): SuggestedCrates['crates'][number] => ({
            crate: { id, name, code, inner_mm: [length, width, height] },
            fill_percent,
            weight_g,
            postage,
            items: placed.map(({ id: line, at, size }) => ({ order_item_id: Number(line), at, size })),
          }),
        ),
        cost:
          suggested.length > 0 && currency !== null
            ? { amount: suggested.reduce((sum, { crate }) => sum + crate.cost, 0), currency }
            : null,
        postage:
          suggested.length > 0 && currency !== null && suggested.every(({ postage }) => postage !== null)
            ? { amount: suggested.reduce((sum, { postage }) => sum + (postage ?? 0), 0), currency }
            : null,
        without_size: items.filter(item => item.size_mm === null).map(item => item.id),
        too_large,
      }
    },

    async report({ page, limit, ...asked }, { db, principal }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      const [uses, totals] = await Promise.all([crateUses(db, asked, { page, limit, time_zone }), crateTotals(db, asked, time_zone)])
      return { ...uses, totals }
    },

    async baskets({ page, limit, ...asked }, { db, principal }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      return basketDeviations(db, asked, { page, limit, time_zone })
    },
    decideBasket: ({ body }, context) => decideBasket(context, body),

    async export(asked, { db, principal, now }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      const { rows } = await crateUses(db, asked, { page: 1, limit: mostExported, time_zone })
      return {
        bytes: csv(
          ['suggested_code', 'suggested', 'used_code', 'used', 'parcels', 'cost', 'difference', 'currency', 'last_at'],
          rows.map(row => [
            ...[row.suggested?.code, row.suggested?.name, row.used.code, row.used.name, row.times],
            ...[fromMinor(row.cost, row.currency), fromMinor(row.difference, row.currency), row.currency, row.last_at],
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `box-report-${now().toISOString().slice(0, 10)}.csv`,
      }
    },
  },
  {
    // The suggestion is made with the pick list, beside it: a list of many orders must not wait for it.
    'order.on_pick_list': suggestLater,
    'order.lines_cancelled': suggestAgain,
    'order.shipping_set': suggestAgain,
    'order.address_changed': suggestAgain,
  },
)
