/** The rules of the shipping methods: their order, and a drawer that edits one beside its preview. */
import { Alert, Button, Group, Select, Stack, Switch, Table, Text, TextInput, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { parseRule, type Rule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { RulePreviewPanel } from '#features/orders/order-rules/RulePreviewPanel.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RuleActions } from '#ui/kit/RuleActions.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import style from '#ui/rules/RuleForm.module.css'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { methodRules } from './method-rules.contract.ts'
import type { MethodRule } from './method-rules.schemas.ts'
import type { ShippingMethod } from './shipping-methods.schemas.ts'

const keyOf = ({ agent_code, shipping_method }: { agent_code: string; shipping_method: string }) => `${agent_code}/${shipping_method}`

export function MethodRules({ methods }: { methods: readonly ShippingMethod[] }) {
  const t = useT()
  const rules = useCall(methodRules.list, {}, { live: ['shipping_method'] })
  const [open, setOpen] = useState<MethodRule | 'new' | null>(null)
  const order = useSend(methodRules.order, { refreshes: [methodRules.list] })
  const nameOf = (rule: MethodRule) => {
    const method = methods.find(one => keyOf(one) === keyOf(rule))
    return method ? t(method.name) : rule.shipping_method
  }
  // A ref, since Esc can come right after the key that changed the form, before the drawer has drawn again.
  const changed = useRef(false)
  const close = () => {
    changed.current = false
    setOpen(null)
  }
  const asking = useRef(false)
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
  const move = (all: readonly MethodRule[], from: number, to: number) => {
    const ids = all.map(rule => rule.id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    order.mutate({ body: { ids } })
  }
  return (
    <section aria-labelledby="method-rules">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="method-rules">
          {t('Rules')}
        </Title>
        <Button size="compact-sm" leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
          {t('Add rule')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {t('The first rule that an order meets decides its shipping method. Orders that meet none go by the shop codes.')}
      </Text>
      <QueryState of={rules} shape="rows">
        {all =>
          all.length === 0 ? null : (
            <Table.ScrollContainer minWidth={320}>
              <Table verticalSpacing="xs">
                <Table.Tbody>
                  {all.map((rule, at) => (
                    <Table.Tr key={rule.id}>
                      <Table.Td w={32} className="num">
                        {at + 1}
                      </Table.Td>
                      <Table.Td>
                        <Group gap="xs">
                          <Text fw={500}>
                            {rule.name ? `${rule.name} → ` : '→ '}
                            {nameOf(rule)}
                          </Text>
                          {rule.broken ? <StateBadge tone="stop">{t('Cannot be read')}</StateBadge> : null}
                          {rule.active ? null : <StateBadge tone="plain">{t('Off')}</StateBadge>}
                        </Group>
                        <Text size="xs" c="dimmed">
                          {sentenceOf(rule)}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="end">
                        <RuleActions
                          at={at}
                          count={all.length}
                          busy={order.isPending}
                          move={to => move(all, at, to)}
                          edit={() => setOpen(rule)}
                        />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </QueryState>
      <Drawer
        opened={open !== null}
        onClose={() => void leave()}
        position="right"
        size="min(100%, 68rem)"
        title={open === 'new' ? t('New rule') : t('Edit rule')}
      >
        {open ? <RuleForm rule={open === 'new' ? null : open} methods={methods} changed={changed} close={close} /> : null}
      </Drawer>
    </section>
  )
}

function sentenceOf(rule: MethodRule): string {
  const { rule: read } = parseRule(rule.conditions, 'shipping_method')
  return read ? ruleSentence(read, ruleWords) : ''
}

interface RuleFormProps {
  rule: MethodRule | null
  methods: readonly ShippingMethod[]
  /** Whether something stands in the form that is not saved. */
  changed: { current: boolean }
  close: () => void
}

function RuleForm({ rule, methods, changed, close }: RuleFormProps) {
  const t = useT()
  const config = useCall(company.config, {}, { fresh: 600_000 })
  const [name, setName] = useState(rule?.name ?? '')
  const [method, setMethod] = useState(rule ? keyOf(rule) : null)
  const [active, setActive] = useState(rule?.active ?? true)
  const [conditions, setConditions] = useState<Record<string, unknown>>(rule?.conditions ?? { v: 1, all: [] })
  const [parsed, setParsed] = useState<Rule | null>(() => parseRule(conditions, 'shipping_method').rule ?? null)
  const [tried, setTried] = useState(false)
  const [before] = useState(JSON.stringify([name, method, active, conditions]))
  useLayoutEffect(() => {
    changed.current = JSON.stringify([name, method, active, conditions]) !== before
  })
  const options = { refreshes: [methodRules.list], quiet: true, said: t('Rule saved'), done: close }
  const create = useSend(methodRules.create, options)
  const update = useSend(methodRules.update, options)
  const remove = useSend(methodRules.remove, { refreshes: [methodRules.list], said: t('Rule removed'), done: close })
  const error = create.error ?? update.error
  const save = () => {
    setTried(true)
    const chosen = methods.find(one => keyOf(one) === method)
    if (!parsed || !chosen) return
    const { agent_code, shipping_method } = chosen
    const body = { name, active, conditions: conditions as MethodRule['conditions'], agent_code, shipping_method }
    if (rule) update.mutate({ id: rule.id, body: { ...body, version: rule.version } })
    else create.mutate({ body })
  }
  const ask = async () => {
    const sure = await confirm({
      title: t('Remove rule?'),
      body: t('Orders that have a shipping method keep it.'),
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
          description={t('Optional')}
          maxLength={120}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          data-autofocus
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('Condition')}
          </Text>
          <RuleEditor
            kind="shipping_method"
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
        <Select
          label={t('Shipping method')}
          data={methods
            .filter(one => one.active || keyOf(one) === method)
            .map(one => ({ value: keyOf(one), label: `${t(one.courier)}: ${t(one.name)}` }))}
          value={method}
          error={tried && method === null ? t('Select a shipping method') : undefined}
          onChange={setMethod}
        />
        <Switch label={t('Active')} checked={active} onChange={event => setActive(event.currentTarget.checked)} />
        {error ? <Alert color="brick">{errorSentence(error)}</Alert> : null}
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
            <Button type="submit" loading={create.isPending || update.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Group>
      </Stack>
      <RulePreviewPanel kind="shipping_method" rule={parsed} />
    </form>
  )
}
