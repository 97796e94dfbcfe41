/** Line drawings in ink for empty states; decoration only, so they are hidden from screen readers. */
import type { ReactNode } from 'react'

const Drawing = ({ children }: { children: ReactNode }) => (
  <svg
    width="96"
    height="72"
    viewBox="0 0 96 72"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

/** An empty shelf bay. */
export const EmptyShelfIllustration = () => (
  <Drawing>
    <path d="M14 8v58M82 8v58M14 26h68M14 46h68M8 66h80" />
    <path d="M24 46V34h16v12M52 26v-8h12v8" strokeDasharray="3 3" />
  </Drawing>
)

/** A magnifier over a barcode that does not match. */
export const NoMatchIllustration = () => (
  <Drawing>
    <path d="M12 16v36M18 16v36M22 16v36M30 16v36M34 16v36M42 16v36" />
    <circle cx="60" cy="36" r="15" />
    <path d="m71 47 13 13M55 36h10" />
  </Drawing>
)

/** A closed gate of a warehouse by the harbour. */
export const AccessDeniedIllustration = () => (
  <Drawing>
    <path d="M48 6 74 24v42H22V24zM38 66V38h20v28M44 20h8v6h-8z" />
    <circle cx="53" cy="52" r="1.5" />
  </Drawing>
)

/** A cut line. */
export const DisconnectedIllustration = () => (
  <Drawing>
    <path d="M6 40h28l6-10M90 32H62l-6 10M44 46l-3 8M52 26l3-8" />
  </Drawing>
)

/** The gable with its hoist, for the sign-in page. */
export const HarborIllustration = () => (
  <svg
    viewBox="0 0 360 200"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    width="100%"
  >
    <path d="M8 176h344M30 176V84l34-34 34 34v92M98 176V96h46v80M144 176V70l42-42 42 42v106M228 176v-66l28-24 28 24v66M284 176v-86h44v86" />
    <path d="M58 62h12v9H58zM180 46h12v10h-12zM251 98h10v8h-10zM186 28V18h22M208 18v8" />
    <path d="M42 92v72M47 92v72M54 92v72M58 92v72M66 92v72M72 92v72M76 92v72M84 92v72M158 82v82M162 82v82M170 82v82M176 82v82M180 82v82M190 82v82M194 82v82M202 82v82M209 82v82M213 82v82M238 118v46M243 118v46M250 118v46M254 118v46M262 118v46M270 118v46M274 118v46" />
    <path d="M110 108h8v12h-8zM124 108h8v12h-8zM110 132h8v12h-8zM124 132h8v12h-8zM296 102h8v12h-8zM310 102h8v12h-8zM296 126h8v12h-8zM310 126h8v12h-8z" />
    <path d="M4 186c10-5 16 5 26 0s16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 16 5 26 0 12 2 16 0" />
  </svg>
)
