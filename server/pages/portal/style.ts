/** The style of the portal, added to that of all pages. */
import { inlineStyle } from '../../http/page/inline-style.ts';
import { style } from '../../http/page/style.ts';

export const portalLook = inlineStyle(`${style}
body{grid-template-columns:minmax(0,1fr)}
main.wide{max-width:860px;margin:0 auto;align-self:start;padding:8px 16px 40px}
header form,.inline{margin:0}
header .end{margin-left:auto;display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;font-size:13px}
header .end a[aria-current]{color:var(--ink);font-weight:640;text-decoration:none}
header .end button{height:32px}
h2{font-size:15px;font-weight:640;letter-spacing:-.01em}
.back{font-size:13px}
.back a{display:inline-block;min-height:24px}
.top{display:flex;flex-wrap:wrap;gap:12px;align-items:end;margin-top:8px}
.top>div{flex:1;min-width:220px}
main.wide .card{margin-top:16px;padding:22px 24px}
main.wide .card>form{margin-top:14px}
main.wide form.card{padding-top:8px}
main.wide .actions{flex-direction:row;flex-wrap:wrap;margin-top:16px;align-items:center}
main.wide button.primary,main.wide a.primary{flex:none}
.scroll{overflow-x:auto;margin-top:16px;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
table{border-collapse:collapse;width:100%;font-size:13px}
th{text-align:left;font-weight:530;color:var(--ink-2);padding:9px 14px;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:8px 14px;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
td a{display:inline-block;min-height:24px;font-weight:570}
td button{height:32px;padding:0 12px;font-size:13px}
td .chip{margin-left:8px}
td input{width:18px;height:18px;margin:0;padding:0;vertical-align:top;accent-color:var(--accent)}
td code{overflow-wrap:normal;word-break:normal}
td p,.faint{color:var(--ink-2)}
.empty{padding:26px;text-align:center;color:var(--ink-2)}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 20px;margin-top:10px;font-size:13px}
dl+p{margin-top:10px}
dt{color:var(--ink-2)}dd{margin:0;overflow-wrap:anywhere}
fieldset{border:0;padding:0;margin:16px 0 0;min-width:0}
legend{font-weight:530;font-size:13px;padding:0}
.hint{font-size:12.5px;color:var(--ink-2);margin:2px 0 6px}
.check{display:grid;grid-template-columns:18px 1fr;gap:10px;align-items:start;margin:0;padding:6px 0;min-height:32px;font-weight:400;cursor:pointer}
.check input{width:18px;height:18px;margin:1px 0 0;padding:0;accent-color:var(--accent)}
.check code{display:block;color:var(--ink-2)}
.two select{width:100%}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(250px,1fr));column-gap:24px}
textarea{width:100%;min-height:92px;padding:9px 12px;font:13px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:inherit;
background:var(--surface);border:1px solid var(--line-strong);border-radius:9px;resize:vertical}
select{height:42px;padding:0 10px;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:9px;max-width:100%}
.secret{margin-top:16px;padding:16px 18px;border-radius:12px;background:var(--accent-soft);border:1px solid var(--accent)}
.secret p{color:var(--ink)}
.secret code{display:block;margin:8px 0;padding:10px 12px;border-radius:9px;background:var(--surface);font-size:13.5px;user-select:all}
.trouble{margin:16px 0;padding:6px 14px;border-radius:10px;font-size:13.5px;background:var(--warn-soft);border:1px solid var(--warn-line)}
.trouble li,.undone li{display:block;padding:0;border:0;overflow-wrap:anywhere}
.trouble a{display:inline-block;min-height:24px;padding:4px 0;color:var(--warn);font-weight:570}
ul.undone{margin:14px 0 0;padding:0}
.undone li+li{margin-top:16px;padding-top:14px;border-top:1px solid var(--line)}
.undone p{margin-top:4px;overflow-wrap:anywhere}
main.wide .undone .actions{margin-top:10px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));column-gap:16px;align-items:start}
.pair pre{margin:12px 0 0;max-height:70vh;overflow:auto;font:12px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.pair pre+h2{margin-top:18px}
.pair h3{font-size:13px;margin:14px 0 0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.number{text-align:right;font-variant-numeric:tabular-nums}
.done{margin-top:16px;padding:10px 12px;border-radius:10px;background:var(--accent-soft);font-size:13px}
.kinds{margin-top:16px;display:grid;gap:10px}
.kinds a{display:grid;padding:14px 16px;border:1px solid var(--line);border-radius:12px;background:var(--surface);color:inherit;text-decoration:none}
.kinds a:hover{border-color:var(--accent)}
.kinds strong{font-weight:600}.kinds span{font-size:13px;color:var(--ink-2)}
.note ul{margin:0}.note li{display:list-item;list-style:disc;margin-left:16px;padding:0;border:0;overflow-wrap:anywhere}
@media(max-width:560px){.spare{display:none}main.wide .card{padding:18px 16px}th,td{padding-left:10px;padding-right:10px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}}
`);
