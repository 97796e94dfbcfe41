/** Trusted types: the page's policy lets no text become markup or script, and these two policies are the only exceptions. */

// zod compiles its parsers with `new Function` where it may; here it may not, and even the attempt is reported as an error.
// Set by its global name, since an import would make the schemas of the shared chunk first.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

interface Policy {
  createHTML?: (text: string) => string
  createScriptURL?: (url: string) => string
}
interface TrustedTypes {
  createPolicy: (name: string, rules: Policy) => Policy
}

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

/**
 * The UI kit writes the text of its `<style>` elements through `innerHTML`. Text without `<` cannot become an element, so it
 * may pass; everything else is refused by the browser with an error that names the place.
 */
trustedTypes?.createPolicy('default', {
  createHTML: text => {
    if (text.includes('<')) throw new TypeError('Markup may not be written into the page as text')
    return text
  },
})

const pakhus = trustedTypes?.createPolicy('pakhus', {
  createScriptURL: url => {
    if (new URL(url, location.origin).href !== `${location.origin}/sw.js`) throw new TypeError(`${url} is not the service worker`)
    return url
  },
})

/** The address of the service worker, in the form that `serviceWorker.register` accepts under trusted types. */
export const serviceWorkerUrl = (): string => pakhus?.createScriptURL?.('/sw.js') ?? '/sw.js'
