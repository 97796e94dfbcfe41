/** Tag rules: which orders get which tag by themselves. */
import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { TagDot } from '#features/company/tags/TagChips.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { TagRuleForm } from './TagRuleForm.tsx'
import { tagRuleSorts } from './tag-rules.codes.ts'
import { tagRules } from './tag-rules.contract.ts'
import type { TagRule } from './tag-rules.schemas.ts'

const View = {
  query: urlText(),
  state: urlChoice(['', 'on', 'off'], ''),
  sort: urlChoice(tagRuleSorts, 'tag'),
  page: urlNumber(1),
  /** Id of the open rule, or `new`. */
  id: urlText(),
}
const path = '/settings/tag-rules'
const keyOf = (row: TagRule) => row.id
const refreshes = [tagRules.list, tagRules.get]

function sentenceOf({ conditions }: TagRule): string {
  const { rule } = parseRule(conditions, 'tag')
  return rule ? ruleSentence(rule, ruleWords) : '–'
}

const fieldsOf = ({ tag_id, conditions, active }: TagRule) => ({ tag_id, conditions, active })

export function TagRulesScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(View)
  const question = { sort: url.sort, ...(url.query && { query: url.query }), ...(url.state && { active: url.state === 'on' }) }
  const list = usePagedList(tagRules.list, { ...question, page: url.page, limit: 50 }, { live: ['tag_rule', 'tag'], keyOf })
  const save = useCommand(() => send(tagRules.export, question), { done: saveFile })
  const close = () => setUrl({ id: '' })
  const done = () => list.showPendingChanges()
  const turn = useCommand(
    (row: TagRule) => send(tagRules.update, { id: row.id, body: { ...fieldsOf(row), active: !row.active, version: row.version } }),
    { refreshes, done },
  )
  const putBack = useCommand((row: TagRule) => send(tagRules.create, { body: fieldsOf(row) }), {
    refreshes,
    said: t('The tag rule is back'),
    done,
  })
  const remove = useCommand((row: TagRule) => send(tagRules.remove, { id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      close()
      done()
      toastWithUndo(t('Rule for tag {{name}} removed', { name: row.tag }), () => putBack.mutate(row))
    },
  })
  const columns = useMemo<Column<TagRule>[]>(
    () => [
      {
        key: 'tag',
        title: t('Tag'),
        flex: 1,
        sort: true,
        cell: row => (
          <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.id) })}>
            <TagDot name={row.tag} color={row.color} />
          </Anchor>
        ),
      },
      { key: 'rule', title: t('Condition'), flex: 3, cell: row => <span title={sentenceOf(row)}>{sentenceOf(row)}</span> },
      { key: 'hits', title: t('Last 30 days'), align: 'end', sort: true, cell: row => number(row.hits) },
      { key: 'state', title: t('Status'), cell: row => <RuleState of={row} /> },
      { key: 'changed', title: t('Changed'), sort: true, hidden: true, cell: row => <RelativeTime at={row.updated_at} /> },
    ],
    [t, urlWith],
  )
  return (
    <Page
      title={t('Tag rules')}
      fill
      actions={
        <>
          <ExportButton save={save} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
            {t('Add tag rule')}
          </Button>
        </>
      }
    >
      <DataTable
        name="tag-rules"
        label={t('Tag rules')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={Number(url.id) || null}
        rowActions={row => [
          { label: t('Edit'), run: () => setUrl({ id: String(row.id) }) },
          { label: row.active ? t('Switch off') : t('Switch on'), run: () => turn.mutate(row) },
          { label: t('Remove tag rule'), danger: true, run: () => remove.mutate(row) },
        ]}
        sort={url.sort}
        onSort={sort => setUrl({ sort: tagRuleSorts.find(one => one === sort) ?? 'tag' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="tag-rules"
            search={{ value: url.query, set: query => setUrl({ query, page: 1 }, { replace: true }), label: t('Search tags') }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'one',
                options: [
                  { value: 'on', label: t('In use') },
                  { value: 'off', label: t('Off') },
                ],
                value: url.state ? [url.state] : [],
                set: ([value = '']) => setUrl({ state: value === 'on' || value === 'off' ? value : '', page: 1 }),
              },
            ]}
          />
        }
        filtered={url.query !== '' || url.state !== ''}
        clearFilters={() => setUrl({ query: '', state: '' })}
        empty={
          <EmptyList
            title={t('No tag rules yet')}
            action={
              <Button variant="default" onClick={() => setUrl({ id: 'new' })}>
                {t('Add tag rule')}
              </Button>
            }
          >
            {t('For example: tag each order above 5,000 DKK with Valuable.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <TagDot name={row.tag} color={row.color} />
              <RuleState of={row} />
            </RowCardLine>
            <span>{sentenceOf(row)}</span>
          </RowCard>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={close} size="min(100%, 68rem)" title={url.id === 'new' ? t('New tag rule') : t('Tag rule')}>
        {url.id === 'new' ? (
          <TagRuleForm rule={null} close={close} changed={done} remove={null} />
        ) : Number(url.id) > 0 ? (
          <Opened id={Number(url.id)} close={close} changed={done} remove={row => remove.mutate(row)} />
        ) : null}
      </Drawer>
    </Page>
  )
}

interface OpenedProps {
  id: number
  close: () => void
  changed: () => void
  remove: (rule: TagRule) => void
}

function Opened({ id, ...rest }: OpenedProps) {
  const one = useCall(tagRules.get, { id })
  return (
    <QueryState of={one} shape="form">
      {rule => <TagRuleForm key={rule.id} rule={rule} {...rest} />}
    </QueryState>
  )
}

function RuleState({ of: rule }: { of: TagRule }) {
  const t = useT()
  if (rule.broken) return <StateBadge tone="stop">{t('Cannot be read')}</StateBadge>
  return rule.active ? <StateBadge tone="done">{t('In use')}</StateBadge> : <StateBadge tone="quiet">{t('Off')}</StateBadge>
}
