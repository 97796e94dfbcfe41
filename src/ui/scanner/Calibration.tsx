/** Settings of the station's scanner: one scan of a known code finds its layout and suffix; the rest is set by hand, and every sound can be tried. */
import { Alert, Button, Group, List, Paper, Select, Slider, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { entriesOf, keysOf } from '#domain/objects.ts'
import { t as translate, useLocale, useT } from '#ui/kit/translate.ts'
import { calibrate, calibrationSentences, type Finding, type Remark, testCode } from './calibration.ts'
import { saveScannerProfile, useScanHandler, useScanner, useScannerProfile } from './handlers.tsx'
import type { Layout } from './keyboard-layouts.ts'
import type { ScannerProfile } from './scanner-profile.ts'
import { type Sound, sounds } from './sounds.ts'

const layoutLabels: Record<ScannerProfile['layout'], string> = {
  auto: 'Not calibrated',
  pc: 'As the device',
  us: 'US English',
  gb: 'British',
  da: 'Danish',
  no: 'Norwegian',
  sv: 'Swedish',
  de: 'German',
}
const suffixLabels: Record<ScannerProfile['suffix'], string> = { enter: 'Enter', tab: 'Tab', none: 'Nothing' }
const soundLabels: Record<Sound, string> = {
  ok: 'Correct scan',
  line: 'Line finished',
  done: 'Order finished',
  error: 'Wrong scan',
  wrong_shop: 'Wrong shop',
  ignored: 'Ignored scan',
  attention: 'Attention',
}
const preferred: Record<string, Layout> = { da_DK: 'da', de_DE: 'de', no_NO: 'no', sv_SE: 'sv', en_GB: 'gb' }

/** No one needs longer to scan a code that is on the screen. */
const patience = 20_000

export function Calibration() {
  const t = useT()
  const locale = useLocale()
  const profile = useScannerProfile()
  const { play } = useScanner()
  const [listening, setListening] = useState(false)
  const [finding, setFinding] = useState<Finding>()
  const [tried, setTried] = useState<string>()
  const volumeLabel = useId()

  const judge = (finding: Finding) => {
    setFinding(finding)
    setListening(false)
    play(finding.found ? 'done' : 'error')
    if (finding.found) saveScannerProfile(finding.profile)
  }
  // While this page is open, any scan is a try.
  useScanHandler({
    match: code => code.text,
    handle: text => {
      setTried(text)
      play('ok')
    },
  })

  return (
    <Stack gap="lg" maw={720}>
      <Paper withBorder p="md">
        <Stack gap="md">
          <Title order={3} size="h4">
            {t('Calibrate scanner')}
          </Title>
          <Text>
            {t(
              'A scanner types keys, and the keyboard layout of the PC may turn them into other characters. Scan the code once, and this station knows its scanner.',
            )}
          </Text>
          <TestCode />
          {listening ? (
            <Listening onFinding={judge} onCancel={() => setListening(false)} preferred={preferred[locale]} />
          ) : (
            <Group>
              <Button
                onClick={() => {
                  setFinding(undefined)
                  setListening(true)
                }}
              >
                {t('Start calibration')}
              </Button>
            </Group>
          )}
          <div aria-live="polite">{finding && <Result finding={finding} />}</div>
        </Stack>
      </Paper>

      <Paper withBorder p="md">
        <Stack gap="md">
          <Title order={3} size="h4">
            {t('Scanner of this station')}
          </Title>
          <Select
            label={t('Scanner keyboard layout')}
            data={entriesOf(layoutLabels).map(([value, label]) => ({ value, label: t(label) }))}
            value={profile.layout}
            onChange={layout => layout && saveScannerProfile({ layout })}
          />
          <Select
            label={t('Sent after every code')}
            data={entriesOf(suffixLabels).map(([value, label]) => ({ value, label: t(label) }))}
            value={profile.suffix}
            onChange={suffix => suffix && saveScannerProfile({ suffix })}
          />
          <TextInput
            label={t('Sent before every code')}
            description={t('Leave empty if the scanner sends only the code.')}
            value={profile.prefix}
            maxLength={8}
            onChange={event => saveScannerProfile({ prefix: event.currentTarget.value })}
          />
          <Text aria-live="polite">{tried === undefined ? t('Scan any code to try it.') : t('Read: {{text}}', { text: tried })}</Text>
        </Stack>
      </Paper>

      <Paper withBorder p="md">
        <Stack gap="md">
          <Title order={3} size="h4">
            {t('Sounds')}
          </Title>
          <Text id={volumeLabel}>{t('Volume')}</Text>
          <Slider
            aria-labelledby={volumeLabel}
            min={0}
            max={100}
            step={5}
            value={Math.round(profile.volume * 100)}
            onChange={volume => saveScannerProfile({ volume: volume / 100 })}
            thumbProps={{ 'aria-labelledby': volumeLabel }}
          />
          <Group gap="xs">
            {keysOf(sounds).map(sound => (
              <Button key={sound} variant="default" onClick={() => play(sound)}>
                {t(soundLabels[sound])}
              </Button>
            ))}
          </Group>
        </Stack>
      </Paper>
    </Stack>
  )
}

function Listening({
  onFinding,
  onCancel,
  preferred,
}: {
  onFinding: (finding: Finding) => void
  onCancel: () => void
  preferred: Layout | undefined
}) {
  const t = useT()
  const { record } = useScanner()
  const judge = useEffectEvent((finding: Finding) => onFinding(finding))
  const cancel = useEffectEvent(onCancel)
  const layout = useEffectEvent(() => preferred)
  // The scanner's raw keys, the clock and Escape, for as long as this is shown.
  useEffect(() => {
    const stop = record(keys => judge(calibrate(keys, layout())))
    const timer = setTimeout(() => judge({ found: false, problem: { text: calibrationSentences.nothing }, got: '' }), patience)
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel()
    }
    window.addEventListener('keydown', leave)
    return () => {
      stop()
      clearTimeout(timer)
      window.removeEventListener('keydown', leave)
    }
  }, [record])
  return (
    <Group role="status">
      <Text fw={600}>{t('Scan the code above now')}</Text>
      <Button variant="default" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </Group>
  )
}

function Result({ finding }: { finding: Finding }) {
  const t = useT()
  if (!finding.found) {
    return (
      <Alert color="red" title={t('Not calibrated')}>
        <Sentence remark={finding.problem} />
      </Alert>
    )
  }
  const { layout, suffix, prefix, start_key, end_key } = finding.profile
  return (
    <Alert color="green" title={t('The scanner is calibrated')}>
      <List size="sm">
        <List.Item>{t('Layout: {{layout}}', { layout: t(layoutLabels[layout]) })}</List.Item>
        <List.Item>{t('After every code: {{suffix}}', { suffix: end_key || t(suffixLabels[suffix]) })}</List.Item>
        {(start_key || prefix) && <List.Item>{t('Before every code: {{prefix}}', { prefix: start_key || prefix })}</List.Item>}
        {finding.remarks.map(remark => (
          <List.Item key={remark.text}>
            <Sentence remark={remark} />
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Sentence({ remark }: { remark: Remark }) {
  useT()
  return <>{translate(remark.text, remark.values)}</>
}

/** Black on white with its quiet zone, in dark mode too. As an image, because the page's policy lets no text become markup. */
function TestCode() {
  const t = useT()
  const [source, setSource] = useState<string>()
  const [failed, setFailed] = useState(false)
  // The barcode writer is loaded only here.
  useEffect(() => {
    let shown = true
    import('bwip-js/browser')
      .then(({ code128, drawingSVG }) => {
        const svg = code128({ bcid: 'code128', text: testCode, height: 14, scale: 2, padding: 6, backgroundcolor: 'FFFFFF' }, drawingSVG())
        if (shown) setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`)
      })
      .catch(() => setFailed(true))
    return () => {
      shown = false
    }
  }, [])
  if (failed) return <Alert color="red">{t('The test code could not be loaded. Reload the page.')}</Alert>
  return (
    <div style={{ minHeight: 90 }}>
      {source && (
        <img src={source} alt={t('Test code for the scanner')} style={{ display: 'block', width: 'min(100%, 560px)', height: 'auto' }} />
      )}
    </div>
  )
}
