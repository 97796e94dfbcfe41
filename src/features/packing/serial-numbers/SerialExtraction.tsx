/** Where the serial number stands in a longer code, and a trial of the rule before it is saved. */
import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { useCall } from '#ui/query/calls.ts'
import { mostExtractSteps } from './serial-numbers.codes.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import type { ExtractStep } from './serial-numbers.schemas.ts'

type Steps = readonly ExtractStep[]

/** The steps in words: “Part 1 at “;”, from character 4”. */
export function stepWords(t: ReturnType<typeof useT>, steps: Steps): string {
  return steps
    .map(step =>
      step.kind === 'part'
        ? step.part > 0
          ? t('part {{number}} at “{{separator}}”', { number: step.part, separator: step.separator })
          : t('part {{number}} from the end at “{{separator}}”', { number: -step.part, separator: step.separator })
        : step.length === undefined
          ? t('from character {{start}}', { start: step.start })
          : t('characters {{start}} to {{end}}', { start: step.start, end: step.start + step.length - 1 }),
    )
    .join(', ')
}

export function ExtractionFields({ steps, set }: { steps: Steps; set: (steps: Steps) => void }) {
  const t = useT()
  const change = (at: number, step: ExtractStep) => set(steps.map((one, nth) => (nth === at ? step : one)))
  return (
    <Stack gap="xs" component="fieldset" p={0} m={0} style={{ border: 0 }}>
      <Text component="legend" size="sm" fw={500}>
        {t('Longer codes')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('Where the serial number stands in what is scanned. A GS1 code gives its own (21).')}
      </Text>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
        <Group key={at} align="end" gap="xs" wrap="nowrap">
          <NativeChoice
            label={t('Step {{number}}', { number: at + 1 })}
            style={{ flex: 1 }}
            data={[
              { value: 'part', label: t('A part') },
              { value: 'position', label: t('A position') },
            ]}
            value={step.kind}
            choose={kind => change(at, kind === 'part' ? { kind, separator: ';', part: 1 } : { kind: 'position', start: 1 })}
          />
          {step.kind === 'part' ? (
            <>
              <TextInput
                w={88}
                label={t('Separator')}
                maxLength={3}
                value={step.separator}
                onChange={event => change(at, { ...step, separator: event.currentTarget.value })}
              />
              <WholeNumberInput
                w={88}
                label={t('Part')}
                min={-20}
                max={20}
                value={step.part}
                onChange={value => change(at, { ...step, part: Number(value) || 1 })}
              />
            </>
          ) : (
            <>
              <WholeNumberInput
                w={88}
                label={t('From')}
                min={1}
                max={256}
                value={step.start}
                onChange={value => change(at, { ...step, start: Number(value) || 1 })}
              />
              <WholeNumberInput
                w={88}
                label={t('Characters')}
                placeholder={t('all')}
                min={1}
                max={256}
                value={step.length ?? ''}
                onChange={value => change(at, { kind: 'position', start: step.start, ...(Number(value) > 0 && { length: Number(value) }) })}
              />
            </>
          )}
          <ActionIcon
            size="lg"
            mb={2}
            aria-label={t('Remove step {{number}}', { number: at + 1 })}
            onClick={() => set(steps.filter((_, nth) => nth !== at))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {steps.some(step => step.kind === 'part') ? (
        <Text size="sm" c="dimmed">
          {t('Part −1 is the last one.')}
        </Text>
      ) : null}
      {steps.length < mostExtractSteps ? (
        <Group>
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => set([...steps, { kind: 'part', separator: ';', part: 1 }])}
          >
            {t('Add step')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}

export function RuleTrial({ company, regex, steps }: { company: string; regex: string; steps: Steps }) {
  const t = useT()
  const [code, setCode] = useState('')
  const extract = JSON.stringify(steps)
  const [asked] = useDebouncedValue({ code: code.trim(), regex, extract }, 250)
  const answer = useCall(
    serialNumbers.tryRule,
    { company, ...asked },
    { enabled: asked.code !== '' && asked.regex !== '' && steps.every(step => step.kind !== 'part' || step.separator !== ''), keep: true },
  )
  return (
    <Stack gap="xs">
      <TextInput
        label={t('Try a code')}
        description={t('Scan or type one before you save.')}
        value={code}
        maxLength={256}
        spellCheck={false}
        autoCapitalize="off"
        onChange={event => setCode(event.currentTarget.value)}
      />
      {asked.code !== '' && answer.data ? (
        <Alert color={answer.data.fits ? 'moss' : 'brick'} role="status">
          {answer.data.serial === ''
            ? t('The code holds no serial number')
            : answer.data.fits
              ? t('Serial number {{serial}}: it fits', { serial: answer.data.serial })
              : t('{{serial}} does not fit the pattern', { serial: answer.data.serial })}
        </Alert>
      ) : null}
    </Stack>
  )
}
