/** The rules of returns: their order, what they would have done to past returns, and switching them on. */
import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import type { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import { policyLimits } from '#features/returns/returns/returns.codes.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { dayOf, instant, money, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RuleActions } from '#ui/kit/RuleActions.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { ReturnRuleForm } from './ReturnRuleForm.tsx'
import { effectsText } from './return-effects.client.ts'
import { returnRules } from './return-rules.contract.ts'
import type { ChangedMind, DryRun, ReturnRules as RuleSet } from './return-rules.schemas.ts'

const refreshes = [returnRules.get]

export default function ReturnRules() {
  const found = useCall(returnRules.get, {}, { live: ['return_rule'] })
  return (
    <QueryState of={found} shape="rows">
      {set => <Rules set={set} />}
    </QueryState>
  )
}

function Rules({ set }: { set: RuleSet }) {
  const t = useT()
  const { currency } = useSignedIn().init.settings
  const [open, setOpen] = useState<ReturnRule | 'new' | null>(null)
  const { rules, version } = set
  const saving = useCommand((next: readonly ReturnRule[]) => send(returnRules.save, { body: { rules: [...next], version } }), { refreshes })
  const putBack = useCommand(
    async (before: readonly ReturnRule[]) => {
      const { version: now } = await send(returnRules.get, {})
      return send(returnRules.save, { body: { rules: [...before], version: now } })
    },
    { refreshes, said: t('The rule is back') },
  )
  const download = useCommand(() => send(returnRules.export, {}), { done: saveFile })
  const move = (from: number, to: number) => {
    const next = [...rules]
    next.splice(to, 0, ...next.splice(from, 1))
    saving.mutate(next)
  }
  const remove = (rule: ReturnRule) =>
    saving.mutate(
      rules.filter(({ id }) => id !== rule.id),
      {
        onSuccess: () => {
          setOpen(null)
          toastWithUndo(t('Rule {{name}} removed', { name: rule.name }), () => putBack.mutate(rules))
        },
      },
    )
  return (
    <Stack gap="md">
      <Group justify="space-between" align="start">
        <Text size="sm" c="dimmed" maw={640}>
          {t('Of each effect the first rule that an item meets decides. The right of withdrawal stands above all rules.')}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={download.isPending}
            onClick={() => download.mutate(undefined)}
          >
            {t('Export')}
          </Button>
          <Button
            leftSection={<IconPlus size={16} />}
            {...disabledBecause(rules.length >= policyLimits.rules && t('There are {{count}} already', { count: policyLimits.rules }))}
            onClick={() => setOpen('new')}
          >
            {t('Add rule')}
          </Button>
        </Group>
      </Group>
      {rules.length === 0 ? (
        <EmptyList
          title={t('No return rules yet')}
          action={
            <Button variant="default" onClick={() => setOpen('new')}>
              {t('Add rule')}
            </Button>
          }
        >
          {t('For example: take back defective products for two years.')}
        </EmptyList>
      ) : (
        <Table.ScrollContainer minWidth={320}>
          <Table verticalSpacing="xs">
            <Table.Tbody>
              {rules.map((rule, at) => (
                <Table.Tr key={rule.id}>
                  <Table.Td w={32} className="num">
                    {at + 1}
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs">
                      <Text fw={500}>{rule.name}</Text>
                      {set.broken.includes(rule.id) ? <StateBadge tone="stop">{t('Cannot be read')}</StateBadge> : null}
                      {rule.active ? null : <StateBadge tone="quiet">{t('Off')}</StateBadge>}
                    </Group>
                    <Text size="sm">{effectsText(rule.effects, currency)}</Text>
                    <Text size="xs" c="dimmed">
                      {sentenceOf(rule)}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="end">
                    <RuleActions
                      at={at}
                      count={rules.length}
                      busy={saving.isPending}
                      move={to => move(at, to)}
                      edit={() => setOpen(rule)}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Trial set={set} />
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        size="min(100%, 52rem)"
        title={open === 'new' ? t('New rule') : t('Edit rule')}
      >
        {open ? (
          <ReturnRuleForm
            rule={open === 'new' ? null : open}
            set={set}
            close={() => setOpen(null)}
            remove={open === 'new' ? null : remove}
          />
        ) : null}
      </Drawer>
    </Stack>
  )
}

function sentenceOf({ conditions }: ReturnRule): string {
  const { rule } = parseRule(conditions, 'return')
  if (!rule) return ''
  return ('all' in rule ? rule.all : rule.any).length === 0 ? '' : ruleSentence(rule, ruleWords)
}

/** Tries the draft, shows what came of it, and switches it on. */
function Trial({ set }: { set: RuleSet }) {
  const t = useT()
  const { version, dry_run, dry_run_at, in_force, active } = set
  const [job, setJob] = useState<{ id: number; version: number } | null>(null)
  const start = useSend(returnRules.dryRun, { done: ({ job_id }) => setJob({ id: job_id, version }) })
  const enable = useSend(returnRules.enable, { refreshes, said: t('Return rules switched on') })
  const reset = useSend(returnRules.reset, { refreshes, said: t('Changes thrown away') })
  const askReset = async () => {
    const sure = await confirm({
      title: t('Throw the changes away?'),
      body: t('The rules that are switched on stay as they are.'),
      action: t('Throw away'),
      danger: true,
    })
    if (sure) reset.mutate({ body: { version } })
  }
  if (version === 0) return null
  return (
    <Stack gap="sm" component="section" aria-label={t('Trial')}>
      <Group gap="sm">
        <StateBadge tone={in_force ? 'done' : 'soon'}>{in_force ? t('Switched on') : t('Not in force')}</StateBadge>
        {active ? (
          <Text size="sm" c="dimmed">
            {t('{{count}} rules decide since {{day}}', { count: active.count, day: dayOf(active.since) })}
          </Text>
        ) : null}
      </Group>
      <Group gap="xs">
        <Button variant="default" loading={start.isPending} onClick={() => start.mutate({ body: { version } })}>
          {t('Try on last 90 days')}
        </Button>
        {in_force ? null : (
          <>
            <Button
              {...disabledBecause(dry_run === null && t('Try them on the last 90 days first'))}
              loading={enable.isPending}
              onClick={() => enable.mutate({ body: { version } })}
            >
              {t('Switch on')}
            </Button>
            <Button variant="subtle" color="brick" loading={reset.isPending} onClick={() => void askReset()}>
              {t('Throw changes away')}
            </Button>
          </>
        )}
      </Group>
      {in_force || dry_run !== null ? null : (
        <Text size="sm" c="dimmed">
          {t('Try the rules before you switch them on.')}
        </Text>
      )}
      {job && job.version === version && dry_run === null ? <TrialJob id={job.id} /> : null}
      {dry_run && dry_run_at ? <TrialResult found={dry_run} at={dry_run_at} set={set} /> : null}
    </Stack>
  )
}

function TrialJob({ id }: { id: number }) {
  const t = useT()
  const job = useCall(jobs.get, { id }, { live: ['job'] })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.get] })
  if (!job.data) return null
  const { state, done, total, started_at, cancel_asked_at } = job.data
  return (
    <Progress
      label={t('Looking at returns')}
      done={done}
      total={total}
      began={started_at}
      state={state === 'queued' ? 'running' : state}
      cancel={() => cancel.mutate({ id })}
      cancelling={cancel_asked_at !== null}
    />
  )
}

function TrialResult({ found, at, set }: { found: DryRun; at: string; set: RuleSet }) {
  const t = useT()
  return (
    <Stack gap="sm">
      <Text aria-live="polite">
        {t('Would have applied to {{met}} of {{checked}} returns in {{days}} days', {
          met: number(found.met),
          checked: number(found.checked),
          days: found.days,
        })}
        {' · '}
        {t('{{count}} refused', { count: found.refused })}
        {' · '}
        {t('{{count}} more for a person', { count: found.review })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('Tried {{when}}', { when: instant(at) })}
      </Text>
      {found.not_compared > 0 ? (
        <Alert color="amber">
          {t('{{count}} returns were not compared: their currency is another one.', { count: found.not_compared })}
        </Alert>
      ) : null}
      {found.changed_mind ? <ChangedMindResult found={found.changed_mind} days={found.days} /> : null}
      {found.rules
        .filter(({ met }) => met > 0)
        .map(({ id, met, sample }) => (
          <details key={id}>
            <summary>
              {t('{{name}}: {{met}} of {{checked}} returns', {
                name: set.rules.find(rule => rule.id === id)?.name ?? '',
                met: number(met),
                checked: number(found.checked),
              })}
            </summary>
            <Table.ScrollContainer minWidth={480}>
              <Table verticalSpacing={4}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Return')}</Table.Th>
                    <Table.Th>{t('Order')}</Table.Th>
                    <Table.Th>{t('Requested')}</Table.Th>
                    <Table.Th>{t('Effect')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {sample.map(one => (
                    <Table.Tr key={one.return_id}>
                      <Table.Td>
                        <Link to="/returns" search={{ id: one.return_id }}>
                          {one.rma_no}
                        </Link>
                      </Table.Td>
                      <Table.Td>{one.order_no}</Table.Td>
                      <Table.Td>{instant(one.requested_at)}</Table.Td>
                      <Table.Td>
                        {[
                          one.refused && t('Refused'),
                          one.review && t('Approved by a person'),
                          one.photo && t('Photo required'),
                          !one.refused && one.keep && t('Customer keeps the item'),
                          !one.refused && one.question && t('Asks a question'),
                          !one.refused && one.destination && t('Goes elsewhere'),
                          !one.refused &&
                            one.fee !== one.fee_before &&
                            t('Fee {{after}} instead of {{before}}', {
                              after: money(one.fee, one.currency),
                              before: money(one.fee_before, one.currency),
                            }),
                        ]
                          .filter(Boolean)
                          .join(' · ') || t('No change')}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </details>
        ))}
    </Stack>
  )
}

/** Each delivered order as if its customer had changed their mind: what the rules alone change. */
function ChangedMindResult({ found, days }: { found: ChangedMind; days: number }) {
  const t = useT()
  return (
    <details>
      <summary>
        {t('If every customer changed their mind: {{differ}} of {{orders}} orders delivered in {{days}} days would differ', {
          differ: number(found.differ),
          orders: number(found.orders),
          days,
        })}
      </summary>
      <Stack gap="xs" mt="xs">
        <Text size="sm" c="dimmed">
          {t('All of each order, sent back today with the reason “{{reason}}” and a refund, with these rules and without any.', {
            reason: t('Changed my mind'),
          })}
        </Text>
        <Text size="sm">
          {[
            t('{{count}} refused', { count: found.refused }),
            t('{{count}} taken back only with the rules', { count: found.taken }),
            t('{{count}} more for a person', { count: found.review }),
          ].join(' · ')}
        </Text>
        {found.amounts.map(({ currency, ...sums }) => (
          <Text key={currency} size="sm">
            {[
              t('Fees {{after}} instead of {{before}}', { after: money(sums.fee, currency), before: money(sums.fee_before, currency) }),
              t('Refunds {{after}} instead of {{before}}', {
                after: money(sums.back, currency),
                before: money(sums.back_before, currency),
              }),
            ].join(' · ')}
          </Text>
        ))}
        {found.sample.length === 0 ? null : (
          <Table.ScrollContainer minWidth={480}>
            <Table verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Order')}</Table.Th>
                  <Table.Th>{t('Delivered')}</Table.Th>
                  <Table.Th>{t('Rules')}</Table.Th>
                  <Table.Th>{t('Effect')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.sample.map(one => (
                  <Table.Tr key={one.order_id}>
                    <Table.Td>
                      <Link to="/parcels/orders" search={{ id: one.order_id }}>
                        {one.order_no}
                      </Link>
                    </Table.Td>
                    <Table.Td>{dayOf(one.arrived_on)}</Table.Td>
                    <Table.Td>{one.rules.join(', ')}</Table.Td>
                    <Table.Td>
                      {[
                        one.refused && t('Refused'),
                        one.taken && t('Taken back'),
                        one.review && t('Approved by a person'),
                        one.photo && t('Photo required'),
                        one.keep && t('Customer keeps the item'),
                        one.question && t('Asks a question'),
                        one.destination && t('Goes elsewhere'),
                        one.fee !== one.fee_before &&
                          t('Fee {{after}} instead of {{before}}', {
                            after: money(one.fee, one.currency),
                            before: money(one.fee_before, one.currency),
                          }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Stack>
    </details>
  )
}
