/** How long each courier takes claims, as the company's agreement says. */
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { claimKindWord, claimPeriodWords, claimStartWords, claimUnitWords } from '#features/shipping/claims/claim.labels.tsx'
import { type ClaimKind, claimKinds, claimStarts, claimUnits, longestClaimPeriod } from '#features/shipping/claims/claims.codes.ts'
import { claimRules, claims } from '#features/shipping/claims/claims.contract.ts'
import { ClaimRules, ClaimRulesBody } from '#features/shipping/claims/claims.schemas.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'

/** The courier is chosen first. */
export function ClaimRulesForm() {
  const t = useT()
  const { init } = useSignedIn()
  const couriers = init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) }))
  const [agent_code, choose] = useState(couriers[0]?.value ?? 'own')
  const rules = useCall(claimRules.get, { agent_code }, { live: ['claim'] })
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('Your agreement says how long a courier accepts claims. The last day of new claims follows from it.')}
      </Text>
      <NativeChoice label={t('Courier')} data={couriers} value={agent_code} choose={choose} />
      <QueryState of={rules} shape="form">
        {found => <RulesForm key={found.agent_code} rules={found} />}
      </QueryState>
    </Stack>
  )
}

type Rule = ClaimRules['rules'][number]
type Values = Record<ClaimKind, { count: number | ''; unit: Rule['unit']; counts_from: Rule['counts_from'] }> & Record<string, unknown>

function valuesOf({ rules }: ClaimRules): Values {
  const of = (kind: ClaimKind) => {
    const { count = null, unit = 'days', counts_from = 'delivered' } = rules.find(rule => rule.kind === kind) ?? {}
    return { count: count ?? ('' as const), unit, counts_from }
  }
  return { damage: of('damage'), loss: of('loss'), missing_item: of('missing_item') }
}

const rulesOf = (values: Values) =>
  claimKinds.map(kind => {
    const { count, unit, counts_from } = values[kind]
    return { kind, count: count === '' ? null : count, unit, counts_from }
  })
const Schema = z
  .custom<Values>()
  .transform((values): unknown => rulesOf(values))
  .pipe(ClaimRulesBody.shape.rules)

function RulesForm({ rules }: { rules: ClaimRules }) {
  const t = useT()
  const version = useRef(rules.version)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(rules),
    save: values => send(claimRules.set, { agent_code: rules.agent_code, body: { version: version.current, rules: rulesOf(values) } }),
    refreshes: [claimRules.get, claims.list, claims.get, claims.count],
    said: t('Deadlines saved'),
    done: answer => {
      version.current = answer.version
    },
    conflict: {
      schema: ClaimRules,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const { values } = edit
  const set = (kind: ClaimKind, change: Partial<Values[ClaimKind]>) => edit.form.setFieldValue(kind, { ...values[kind], ...change })
  return (
    <Form edit={edit}>
      {rules.rules.map(({ kind, published }) => {
        const word = claimKindWord(kind)
        const { count, unit, counts_from } = values[kind]
        return (
          <Stack key={kind} gap={4} role="group" aria-label={word}>
            <Text size="sm" fw={500}>
              {word}
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <WholeNumberInput
                label={t('Period')}
                placeholder={t('None')}
                min={1}
                max={longestClaimPeriod}
                allowNegative={false}
                clampBehavior="strict"
                hideControls
                value={count}
                onChange={next => set(kind, { count: typeof next === 'number' ? next : '' })}
              />
              <NativeChoice
                label={t('Unit')}
                data={claimUnits.map(value => ({ value, label: t(claimUnitWords[value]) }))}
                value={unit}
                choose={next => set(kind, { unit: next })}
              />
              <NativeChoice
                label={t('Counts from')}
                data={claimStarts.map(value => ({ value, label: t(claimStartWords[value]) }))}
                value={counts_from}
                choose={next => set(kind, { counts_from: next })}
              />
            </SimpleGrid>
            {count === '' ? (
              <Text size="xs" c="dimmed">
                {published
                  ? t('The courier publishes: {{period}}', { period: claimPeriodWords(published) })
                  : t('The courier publishes no period. Check your agreement.')}
              </Text>
            ) : null}
          </Stack>
        )
      })}
    </Form>
  )
}
