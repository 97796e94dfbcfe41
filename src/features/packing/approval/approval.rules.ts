/** What an open order still needs an approval for. */
import type { Permission } from '#contract/access.ts'
import { unprocessable } from '#contract/errors.ts'
import type { AskedRule, GivenApproval } from './approval.schemas.ts'

export const reasonMissing = () =>
  unprocessable('approval_reason_missing', 'Say why it is approved', {}, { fields: { reason: 'Say why it is approved' } })

export interface MissingApproval {
  rule: AskedRule
  line_id: number | null
}

/** Whether this approval is for the rule and the line. */
export const isFor = (given: { rule_id: number; line_id: number | null }, { rule, line_id }: MissingApproval): boolean =>
  given.rule_id === rule.rule_id && given.line_id === line_id

/** Everything that the act needs, by rule and line: `count` packs pieces of these lines, `close` labels parcels that hold them. */
export const neededFor = (asked: readonly AskedRule[], act: 'count' | 'close', lines: readonly number[]): MissingApproval[] =>
  asked
    .filter(rule => act === 'close' || rule.subject !== 'label')
    .flatMap((rule): MissingApproval[] =>
      rule.lines === null
        ? [{ rule, line_id: null }]
        : rule.lines.filter(line_id => lines.includes(line_id)).map(line_id => ({ rule, line_id })),
    )

/** The first approval that the act needs and without one that was given. */
export const missingApproval = (
  asked: readonly AskedRule[],
  given: readonly GivenApproval[],
  act: 'count' | 'close',
  lines: readonly number[],
): MissingApproval | undefined => neededFor(asked, act, lines).find(one => !given.some(approval => isFor(approval, one)))

/** Who may approve what a rule asks at this station. A group that allows to approve makes its members leads of packing for it. */
export const neededByRule = (codes: readonly Permission[], station: string) => ({
  codes,
  ...(codes.includes('scan_admin') && { act: 'approve' as const, station }),
})
