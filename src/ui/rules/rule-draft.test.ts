/** The draft of a rule: what is written is the rule that was read, and changes touch one node. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { drawnFacts, drawnRules } from '#test/rules.ts'
import {
  conditionsIn,
  draftOf,
  newCondition,
  newGroup,
  newLines,
  nodeAt,
  replaceNode,
  withField,
  withOperator,
  writtenDraft,
} from './rule-draft.ts'

const kind = 'shipping_method'

describe('the draft of a rule', () => {
  it('means the same as the rule', () => {
    fc.assert(
      fc.property(drawnRules(), drawnFacts, (drawn, facts) => {
        const { rule } = parseRule(drawn, kind)
        const { rule: again } = parseRule(writtenDraft(draftOf(drawn)).json, kind)
        const at = () => ({ now: new Date('2026-06-15T12:00:00Z'), zone: 'UTC', not_compared: 0 })
        expect(compileRule(again!).matches(facts, at())).toBe(compileRule(rule!).matches(facts, at()))
      }),
    )
  })

  it('stays the same when it is read and written again', () => {
    fc.assert(
      fc.property(drawnRules(), drawn => {
        const { json } = writtenDraft(draftOf(drawn))
        expect(writtenDraft(draftOf(json)).json).toEqual(json)
      }),
    )
  })

  it('shows a mistake at the node that holds it', () => {
    const root = draftOf({
      v: 1,
      all: [
        { field: 'ship.country', op: 'eq', value: 'NO' },
        { any: [{ lines: 'some', match: { all: [{ field: 'line.qty', op: 'gt', value: 'x' }] } }] },
      ],
    })
    const draft = writtenDraft(root)
    const { errors } = parseRule(draft.json, kind)
    expect(errors!.map(error => nodeAt(draft, error.path))).toEqual([conditionsIn(root)[1]!.id])
  })

  it('that negates its whole is written as a group below the root', () => {
    const none = { ...draftOf({ v: 1, any: [{ field: 'ship.country', op: 'eq', value: 'NO' }] }), mode: 'none' as const }
    expect(writtenDraft(none).json).toEqual({ v: 1, all: [{ not: { field: 'ship.country', op: 'eq', value: 'NO' } }] })
  })

  it('changes one node and leaves the others', () => {
    const root = { ...newGroup(false), nodes: [newCondition(false), newLines(), newGroup(false)] }
    const [first, inLines, inGroup] = conditionsIn(root)
    const added = newCondition(false)
    expect(conditionsIn(replaceNode(root, first!.id, node => [node, added]))).toEqual([first, added, inLines, inGroup])
    expect(conditionsIn(replaceNode(root, inLines!.id, () => []))).toEqual([first, inGroup])
    expect(replaceNode(root, 0, () => [])).toEqual(root)
  })
})

describe('a condition of the draft', () => {
  it('keeps its value while the operator takes the same kind of value', () => {
    const condition = { ...newCondition(false), value: 'NO' }
    expect(withOperator(condition, 'ne').value).toBe('NO')
    expect(withOperator(condition, 'in').value).toEqual(['NO'])
    expect(withOperator(withOperator(condition, 'in'), 'eq').value).toBe('NO')
    expect(withOperator(condition, 'is_empty').value).toBe(true)
  })

  it('gets an operator that its new field has', () => {
    expect(withField(newCondition(false), 'order.is_abroad')).toMatchObject({ op: 'is', value: true })
    expect(withField({ ...newCondition(false), op: 'in', value: ['NO'] }, 'ship.postcode')).toMatchObject({ op: 'in', value: null })
  })
})
