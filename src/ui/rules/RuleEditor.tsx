/** The editor of rules: rows of field, operator and value, groups, and the rule in words. */
import { ActionIcon, Button, Group, NativeSelect, Select, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { isKeyOf, isOneOf } from '#domain/objects.ts'
import { fieldDefinition, fieldsOf, isLineField, operatorsOf, type RuleSetKind } from '#domain/rules/rule-fields.ts'
import { type LinesQuantifier, parseRule, type Rule, ruleLimits } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './RuleEditor.module.css'
import { RuleValueInput } from './RuleValueInput.tsx'
import { operatorLabels, ruleWords } from './rule.labels.ts'
import {
  changedGroup,
  conditionsIn,
  type DraftCondition,
  type DraftGroup,
  type DraftLines,
  type DraftNode,
  draftOf,
  type GroupMode,
  newCondition,
  newGroup,
  newLines,
  nodeAt,
  replaceNode,
  withField,
  withOperator,
  writtenDraft,
} from './rule-draft.ts'

export interface RuleEditorProps {
  kind: RuleSetKind
  /** The rule as it was stored; the editor goes on from it. */
  initial: unknown
  /** Called with the JSON at every change, and with the rule where it has no mistake. */
  onChange: (json: Record<string, unknown>, rule: Rule | null) => void
  /** Shows every mistake, also in rows that were not touched yet. */
  showErrors: boolean
  /** Countries and the currency that are offered first. */
  countries?: readonly string[]
  currency: string
}

/** What every row needs to know. */
interface Tools {
  kind: RuleSetKind
  errors: ReadonlyMap<number, string>
  countries: readonly string[]
  currency: string
  change: (id: number, change: (node: DraftNode) => readonly DraftNode[]) => void
  addAfter: (id: number, inLines: boolean) => void
  remove: (id: number) => void
  focus: (id: number) => void
}

export function RuleEditor({ kind, initial, onChange, showErrors, countries = [], currency }: RuleEditorProps) {
  const t = useT()
  const [root, setRoot] = useState(() => draftOf(initial))
  const [touched, setTouched] = useState<ReadonlySet<number>>(new Set())
  const element = useRef<HTMLDivElement>(null)
  const wanted = useRef<number | null>(null)
  const { parsed, errors } = useMemo(() => {
    const draft = writtenDraft(root)
    const result = parseRule(draft.json, kind)
    const found = new Map<number, string>()
    for (const error of result.errors ?? []) {
      const values = typeof error.values.field === 'string' ? { ...error.values, field: t(error.values.field) } : error.values
      const id = nodeAt(draft, error.path) ?? root.id
      if (!found.has(id)) found.set(id, t(error.text, values))
    }
    return { parsed: result.rule ?? null, errors: found }
  }, [root, kind, t])

  useEffect(() => {
    if (wanted.current === null) return
    element.current?.querySelector<HTMLElement>(`[data-node="${wanted.current}"] input, [data-node="${wanted.current}"] select`)?.focus()
    wanted.current = null
  })
  const set = (next: DraftGroup) => {
    setRoot(next)
    const { json } = writtenDraft(next)
    onChange(json, parseRule(json, kind).rule ?? null)
  }
  const tools: Tools = {
    kind,
    countries,
    currency,
    errors: new Map([...errors].filter(([id]) => showErrors || touched.has(id) || id === root.id)),
    change: (id, change) => {
      setTouched(before => new Set(before).add(id))
      set(id === root.id ? changedGroup(root, change) : replaceNode(root, id, change))
    },
    addAfter: (id, inLines) => {
      const added = newCondition(inLines)
      wanted.current = added.id
      set(replaceNode(root, id, node => [node, added]))
    },
    remove: id => {
      const order = conditionsIn(root)
      const at = order.findIndex(condition => condition.id === id)
      wanted.current = (order[at - 1] ?? order[at + 1])?.id ?? null
      set(replaceNode(root, id, () => []))
    },
    focus: id => {
      wanted.current = id
    },
  }
  return (
    <div ref={element} className={style.editor}>
      <GroupRows group={root} tools={tools} depth={1} inLines={false} />
      <div className={style.words} aria-live="polite">
        <Text size="xs" c="dimmed">
          {t('In words')}
        </Text>
        <Text size="sm">{parsed ? ruleSentence(parsed, ruleWords) : t('Fill in every condition to see the rule in words.')}</Text>
      </div>
    </div>
  )
}

interface RowsProps {
  group: DraftGroup
  tools: Tools
  depth: number
  inLines: boolean
}

function GroupRows({ group, tools, depth, inLines }: RowsProps) {
  const t = useT()
  const modes: Record<GroupMode, string> = {
    all: t('All of'),
    any: t('Any of'),
    not_all: t('Not all of'),
    none: t('None of'),
  }
  const add = (node: DraftNode) => {
    tools.focus(conditionsIn(node)[0]?.id ?? node.id)
    tools.change(group.id, () => [{ ...group, nodes: [...group.nodes, node] }])
  }
  const error = tools.errors.get(group.id)
  const deepest = depth >= ruleLimits.depth - (group.mode === 'not_all' || group.mode === 'none' ? 1 : 0)
  return (
    <fieldset className={style.group}>
      <legend className={style.mode}>
        <NativeSelect
          size="xs"
          aria-label={t('How the conditions are combined')}
          value={group.mode}
          data={Object.entries(modes).map(([value, label]) => ({ value, label }))}
          onChange={event => {
            const mode = event.currentTarget.value
            if (isKeyOf(modes, mode)) tools.change(group.id, () => [{ ...group, mode }])
          }}
        />
      </legend>
      {group.nodes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {group.mode === 'all' ? t('Without a condition every order is met.') : t('Add a condition.')}
        </Text>
      ) : null}
      {group.nodes.map(node =>
        node.kind === 'condition' ? (
          <ConditionRow key={node.id} condition={node} tools={tools} inLines={inLines} />
        ) : (
          <div key={node.id} className={style.nested}>
            {node.kind === 'lines' ? (
              <LinesRows lines={node} tools={tools} depth={depth} />
            ) : (
              <GroupRows group={node} tools={tools} depth={depth + 1} inLines={inLines} />
            )}
            <ActionIcon variant="subtle" color="gray" aria-label={t('Remove group')} onClick={() => tools.remove(node.id)}>
              <IconX size={16} />
            </ActionIcon>
          </div>
        ),
      )}
      {error ? <p className={style.error}>{error}</p> : null}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" leftSection={<IconPlus size={16} />} onClick={() => add(newCondition(inLines))}>
          {t('Add condition')}
        </Button>
        {deepest ? null : (
          <Button size="compact-sm" variant="subtle" onClick={() => add(newGroup(inLines))}>
            {t('Add group')}
          </Button>
        )}
        {deepest || inLines ? null : (
          <Button size="compact-sm" variant="subtle" onClick={() => add(newLines())}>
            {t('Add condition on items')}
          </Button>
        )}
      </Group>
    </fieldset>
  )
}

function LinesRows({ lines, tools, depth }: { lines: DraftLines; tools: Tools; depth: number }) {
  const t = useT()
  const quantifiers: Record<LinesQuantifier, string> = { some: t('Some item'), every: t('Every item'), none: t('No item') }
  return (
    <div className={style.lines}>
      <NativeSelect
        size="xs"
        aria-label={t('On which items')}
        value={lines.lines}
        data={Object.entries(quantifiers).map(([value, label]) => ({ value, label }))}
        onChange={event => {
          const quantifier = event.currentTarget.value
          if (isKeyOf(quantifiers, quantifier)) tools.change(lines.id, () => [{ ...lines, lines: quantifier }])
        }}
      />
      <GroupRows
        group={lines.match}
        tools={{
          ...tools,
          change: (id, change) =>
            id === lines.match.id
              ? tools.change(lines.id, () => [{ ...lines, match: changedGroup(lines.match, change) }])
              : tools.change(id, change),
        }}
        depth={depth + 2}
        inLines
      />
    </div>
  )
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function ConditionRow({ condition, tools, inLines }: { condition: DraftCondition; tools: Tools; inLines: boolean }) {
  const t = useT()
  const { type } = fieldDefinition(condition.field)
  const operators = operatorsOf(type)
  const error = tools.errors.get(condition.id)
  const set = (next: DraftCondition) => tools.change(condition.id, () => [next])
  const keys = (event: KeyboardEvent) => {
    // A list that is open takes Enter itself.
    const { target } = event
    const other = target instanceof HTMLElement && (target.getAttribute('aria-expanded') === 'true' || target.tagName === 'BUTTON')
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !other) {
      event.preventDefault()
      tools.addAfter(condition.id, inLines)
    } else if (event.key === 'Backspace' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      tools.remove(condition.id)
    }
  }
  const errorId = `rule-error-${condition.id}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a row would draw its own box
    <div
      role="group"
      className={style.row}
      data-node={condition.id}
      onKeyDown={keys}
      aria-label={upperFirst(t(fieldDefinition(condition.field).label))}
      {...(error ? { 'aria-describedby': errorId } : {})}
    >
      <Select
        aria-label={t('Field')}
        className={style.field}
        data={fieldsOf(tools.kind)
          .filter(name => isLineField(name) === inLines)
          .map(value => ({ value, label: upperFirst(t(fieldDefinition(value).label)) }))}
        value={condition.field}
        searchable
        onChange={field => field && set(withField(condition, field))}
      />
      {operators.length > 1 ? (
        <NativeSelect
          aria-label={t('Comparison')}
          className={style.operator}
          data={operators.map(value => ({ value, label: t(operatorLabels[value]) }))}
          value={condition.op}
          onChange={({ currentTarget: { value } }) => isOneOf(operators, value) && set(withOperator(condition, value))}
        />
      ) : null}
      <div className={style.value}>
        <RuleValueInput
          condition={condition}
          countries={tools.countries}
          currency={tools.currency}
          invalid={error !== undefined}
          onChange={value => set({ ...condition, value })}
        />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={style.remove}
        aria-label={t('Remove condition')}
        onClick={() => tools.remove(condition.id)}
      >
        <IconX size={16} />
      </ActionIcon>
      {error ? (
        <p id={errorId} className={style.error}>
          {error}
        </p>
      ) : null}
    </div>
  )
}
