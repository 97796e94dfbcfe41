/** The rules of a company, and a drawer that edits one beside its preview. */
import { Alert, Button, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { parseRule, type Rule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { RulePreviewPanel } from '#features/orders/order-rules/RulePreviewPanel.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import style from '#ui/rules/RuleForm.module.css'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { type ApprovalSubject, approvalMethods, approvalSubjects, approverCodes } from './approval.codes.ts'
import { approvalRules } from './approval.contract.ts'
import { approverLabels, methodLabels, subjectLabels } from './approval.labels.ts'
import type { ApprovalRule } from './approval.schemas.ts'

const keyOf = (row: ApprovalRule) => row.id

function sentenceOf(rule: ApprovalRule): string {
  const { rule: read } = parseRule(rule.conditions, 'approval')
  return read ? ruleSentence(read, ruleWords) : ''
}

export function ApprovalRules() {
  const t = useT()
  const rules = useCall(approvalRules.list, {}, { live: ['approval_rule'] })
  const [open, setOpen] = useState<ApprovalRule | 'new' | null>(null)
  // A ref, since Esc can come right after the key that changed the form, before the drawer has drawn again.
  const changed = useRef(false)
  const asking = useRef(false)
  const close = () => {
    changed.current = false
    setOpen(null)
  }
  const leave = async () => {
    // Esc in the question reaches the drawer behind it as well.
    if (asking.current) return
    asking.current = true
    const sure =
      !changed.current ||
      (await confirm({
        title: t('Discard changes?'),
        body: t('The rule stays as it was saved.'),
        action: t('Discard changes'),
        danger: true,
      }))
    asking.current = false
    if (sure) close()
  }
  const columns = useMemo<Column<ApprovalRule>[]>(
    () => [
      { key: 'name', title: t('Name'), flex: 3, cell: row => row.name },
      { key: 'state', title: t('Status'), cell: row => <RuleState rule={row} /> },
      { key: 'rule', title: t('Condition'), flex: 2, cell: row => <span title={sentenceOf(row)}>{sentenceOf(row)}</span> },
      { key: 'subject', title: t('When'), flex: 1, cell: row => t(subjectLabels[row.subject]) },
      { key: 'asked', title: t('Last 30 days'), align: 'end', cell: row => number(row.last_30_days) },
    ],
    [t],
  )
  return (
    <section aria-labelledby="approval-rules">
      <Group justify="space-between" mb="xs">
        <Text component="h2" id="approval-rules" fw={600} fz="lg" m={0}>
          {t('Rules')}
        </Text>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
          {t('Add rule')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t(
          'The packing station asks for a lead where an order meets a rule. Orders that are open at a station keep the rules they were opened with.',
        )}
      </Text>
      <QueryState of={rules} shape="rows">
        {({ rows }) => (
          <DataTable
            name="approval-rules"
            label={t('Rules')}
            columns={columns}
            list={staticList(rows)}
            keyOf={keyOf}
            open={setOpen}
            rowActions={row => [{ label: t('Edit'), run: () => setOpen(row) }]}
            empty={
              <EmptyList
                title={t('No rule asks for an approval')}
                action={
                  <Button variant="default" onClick={() => setOpen('new')}>
                    {t('Add rule')}
                  </Button>
                }
              >
                {t('For example: a lead looks at each order above 5,000 DKK before its label is printed.')}
              </EmptyList>
            }
            card={row => (
              <Stack gap={2}>
                <Group justify="space-between">
                  <Text fw={500}>{row.name}</Text>
                  <RuleState rule={row} />
                </Group>
                <Text size="sm">{sentenceOf(row)}</Text>
                <Text size="sm" c="dimmed">
                  {t(subjectLabels[row.subject])}
                </Text>
              </Stack>
            )}
          />
        )}
      </QueryState>
      <Drawer
        opened={open !== null}
        onClose={() => void leave()}
        position="right"
        size="min(100%, 68rem)"
        title={open === 'new' ? t('New rule') : t('Edit rule')}
      >
        {open ? <RuleForm rule={open === 'new' ? null : open} changed={changed} close={close} /> : null}
      </Drawer>
    </section>
  )
}

function RuleState({ rule }: { rule: ApprovalRule }) {
  const t = useT()
  if (rule.broken) return <StateBadge tone="stop">{t('Cannot be read')}</StateBadge>
  return rule.active ? <StateBadge tone="done">{t('Active')}</StateBadge> : <StateBadge tone="plain">{t('Off')}</StateBadge>
}

interface RuleFormProps {
  rule: ApprovalRule | null
  /** Whether something stands in the form that is not saved. */
  changed: { current: boolean }
  close: () => void
}

function RuleForm({ rule, changed, close }: RuleFormProps) {
  const t = useT()
  const config = useCall(company.config, {}, { fresh: 600_000 })
  const [name, setName] = useState(rule?.name ?? '')
  const [subject, setSubject] = useState<ApprovalSubject>(rule?.subject ?? 'line')
  const [methods, setMethods] = useState<readonly string[]>(rule?.methods ?? ['pin', 'badge'])
  const [approvers, setApprovers] = useState<readonly string[]>(rule?.approver_codes ?? ['scan_admin'])
  const [reasoned, setReasoned] = useState(rule?.reason_required ?? false)
  const [active, setActive] = useState(rule?.active ?? true)
  const [conditions, setConditions] = useState<ApprovalRule['conditions'] | Record<string, unknown>>(rule?.conditions ?? { v: 1, all: [] })
  const [parsed, setParsed] = useState<Rule | null>(() => parseRule(conditions, 'approval').rule ?? null)
  const [tried, setTried] = useState(false)
  const state = JSON.stringify([name, subject, methods, approvers, reasoned, active, conditions])
  const [before] = useState(state)
  useLayoutEffect(() => {
    changed.current = state !== before
  })
  const set = useSend(approvalRules.set, { refreshes: [approvalRules.list], quiet: true, said: t('Rule saved'), done: close })
  const remove = useSend(approvalRules.remove, { refreshes: [approvalRules.list], said: t('Rule removed'), done: close })
  const missing = {
    name: name.trim() === '' ? t('Enter a name') : undefined,
    methods: methods.length === 0 ? t('Select how it is approved') : undefined,
    approvers: approvers.length === 0 ? t('Select who may approve') : undefined,
  }
  const save = () => {
    setTried(true)
    if (!parsed || missing.name || missing.methods || missing.approvers) return
    set.mutate({
      body: {
        ...(rule && { id: rule.id, version: rule.version }),
        name: name.trim(),
        subject,
        reason_required: reasoned,
        active,
        conditions: parsed,
        methods: approvalMethods.filter(one => methods.includes(one)),
        approver_codes: approverCodes.filter(one => approvers.includes(one)),
      },
    })
  }
  const ask = async () => {
    const sure = await confirm({
      title: t('Remove rule?'),
      body: t('Open questions of this rule are cancelled. Its entries in the log stay.'),
      action: t('Remove rule'),
      danger: true,
    })
    if (sure && rule) remove.mutate({ id: rule.id })
  }
  return (
    <form
      className={style.form}
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="md" className={style.editor}>
        <TextInput
          label={t('Name')}
          description={t('The packer reads it when the station asks.')}
          required
          maxLength={limits.name}
          value={name}
          error={tried ? missing.name : undefined}
          onChange={event => setName(event.currentTarget.value)}
          data-autofocus
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('Condition')}
          </Text>
          <RuleEditor
            kind="approval"
            initial={conditions}
            currency={config.data?.currency ?? 'DKK'}
            countries={config.data ? [config.data.sender.country] : []}
            showErrors={tried}
            onChange={(json, next) => {
              setConditions(json)
              setParsed(next)
            }}
          />
        </div>
        <NativeChoice
          label={t('When the station asks')}
          data={approvalSubjects.map(value => ({ value, label: t(subjectLabels[value]) }))}
          value={subject}
          choose={value => {
            if (isOneOf(approvalSubjects, value)) setSubject(value)
          }}
        />
        <Checkbox.Group
          label={t('How it is approved')}
          value={[...methods]}
          error={tried ? missing.methods : undefined}
          onChange={setMethods}
        >
          <Stack gap="xs" mt="xs">
            {approvalMethods.map(value => (
              <Checkbox key={value} value={value} label={t(methodLabels[value])} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Checkbox.Group
          label={t('Who may approve')}
          description={t('Administrators always may, packers never for themselves.')}
          value={[...approvers]}
          error={tried ? missing.approvers : undefined}
          onChange={setApprovers}
        >
          <Stack gap="xs" mt="xs">
            {approverCodes.map(value => (
              <Checkbox key={value} value={value} label={t(approverLabels[value])} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Switch
          label={t('Ask why')}
          description={t('The one who approves gives a reason, which stands in the log.')}
          checked={reasoned}
          onChange={event => setReasoned(event.currentTarget.checked)}
        />
        <Switch label={t('Active')} checked={active} onChange={event => setActive(event.currentTarget.checked)} />
        {set.error ? <Alert color="brick">{errorSentence(set.error)}</Alert> : null}
        <Group justify="space-between">
          {rule ? (
            <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void ask()}>
              {t('Remove rule')}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={set.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Group>
      </Stack>
      <RulePreviewPanel kind="approval" rule={parsed} />
    </form>
  )
}
