/** Colours of the pages, light and dark by what shows the picture. */
export const style = `
svg[role]{--paper:#fff;--ground:#f6f6f4;--ink:#1b1d21;--soft:#5b6068;--line:#c6c6c0;--accent:#1f5a8a;--on-accent:#fff;--bad:#b3261e;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
@media (prefers-color-scheme:dark){svg[role]{--paper:#1d2024;--ground:#131518;--ink:#eceef1;--soft:#a3a9b2;--line:#4a5058;--accent:#8fc1ea;--on-accent:#10222f;--bad:#ff9d94}}
text{fill:var(--ink);font-size:13px}
.ground{fill:var(--ground)}
.name{font-size:18px;font-weight:650}
.title{font-weight:650}
.soft{fill:var(--soft);font-size:12px}
.type{fill:var(--soft);font-style:italic}
.card{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
.event .card{fill:var(--ground);stroke-dasharray:4 3}
.asks,.tip{fill:var(--accent)}
.tip{fill:var(--soft)}
.line{fill:none;stroke:var(--soft);stroke-width:1.5;opacity:.7}
.taken .line{stroke:var(--accent);opacity:.45}
.not-taken .line{stroke-dasharray:6 5}
.share rect{fill:var(--accent)}
.share text{fill:var(--on-accent);font-size:12px;font-weight:650;text-anchor:middle}
.marks{fill:var(--soft);font-weight:600;text-anchor:end}
.losing{fill:var(--bad)}
`
