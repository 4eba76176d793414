/** The look of the pages: warm greys, one deep teal for what can be done next, amber for test mode. */
export const style = `
:root{color-scheme:light dark;
--bg:#f4f3f0;--surface:#fff;--sunken:#edebe6;--line:#e0ddd6;--line-strong:#8d897e;
--ink:#1d1f1e;--ink-2:#565a57;
--accent:#0f6b5c;--accent-hover:#0b5a4d;--accent-ink:#fff;--accent-soft:#dcefe9;--accent-text:#0b5a4d;
--warn:#7c5100;--warn-soft:#fbf0d8;--warn-line:#e8cf94;
--shadow:0 1px 2px rgb(30 30 20/.05),0 12px 32px -16px rgb(30 30 20/.16)}
@media(prefers-color-scheme:dark){:root{
--bg:#0d0f0f;--surface:#141717;--sunken:#0f1212;--line:#252a2a;--line-strong:#5b6765;
--ink:#dfe3e1;--ink-2:#9aa3a0;
--accent:#23705f;--accent-hover:#2a8271;--accent-ink:#f3fbf8;--accent-soft:#15302b;--accent-text:#7fd3c1;
--warn:#e0b25a;--warn-soft:#2a2314;--warn-line:#4d3f1f;--shadow:none}}
*{box-sizing:border-box;margin:0}
html{font:400 14px/1.5 "Inter Variable",Inter,system-ui,sans-serif;font-feature-settings:"tnum","cv05","ss03";
color:var(--ink);background:var(--bg);-webkit-font-smoothing:antialiased}
body{min-height:100vh;min-height:100dvh;display:grid;grid-template-rows:auto 1fr auto}
header{display:flex;align-items:center;gap:12px;padding:16px 20px}
.mark{display:flex;align-items:center;gap:8px;font-weight:680;font-size:15px;letter-spacing:-.02em}
.mark svg{width:13px;height:16px;fill:var(--accent)}
.chip{font-size:12px;line-height:18px;font-weight:600;padding:2px 9px;border-radius:99px;
color:var(--warn);background:var(--warn-soft);border:1px solid var(--warn-line)}
main{width:100%;max-width:432px;margin:auto;padding:8px 16px 16px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);padding:28px}
footer{min-height:56px;padding:12px 20px}
h1{font-size:21px;line-height:1.25;font-weight:650;letter-spacing:-.02em;overflow-wrap:anywhere;text-wrap:balance}
.lead{margin-top:4px;color:var(--ink-2);overflow-wrap:anywhere}
.note{display:grid;grid-template-columns:18px 1fr;gap:10px;margin-top:16px;padding:10px 12px;border-radius:10px;
font-size:13px;line-height:1.45;background:var(--warn-soft);border:1px solid var(--warn-line)}
.note svg{width:18px;height:18px;margin-top:1px;color:var(--warn);fill:none;stroke:currentColor;stroke-width:1.8;
stroke-linecap:round;stroke-linejoin:round}
strong{font-weight:600;color:var(--ink)}
.quiet{background:var(--sunken);border-color:transparent;color:var(--ink-2);line-height:1.55}
form{margin-top:20px}
label{display:block;font-weight:530;font-size:13px;margin:14px 0 5px}
input{width:100%;height:42px;padding:0 12px;font:inherit;font-size:16px;color:inherit;background:var(--surface);
border:1px solid var(--line-strong);border-radius:9px}
.actions{display:flex;flex-direction:row-reverse;gap:10px;margin-top:22px}
button,a.button{font:inherit;font-weight:570;height:42px;padding:0 18px;border-radius:9px;cursor:pointer;
color:var(--ink);background:var(--surface);border:1px solid var(--line-strong);transition:background-color .14s}
a.button{display:grid;place-items:center;text-decoration:none}
button:hover,a.button:hover{background:var(--sunken)}
button.primary,a.primary{flex:1;font-weight:620;color:var(--accent-ink);background:var(--accent);border-color:var(--accent)}
button.primary:hover,a.primary:hover{background:var(--accent-hover);border-color:var(--accent-hover)}
button.text{height:36px;padding:0 8px;margin-right:-8px;border-color:transparent;background:none;font-size:13px;
color:var(--accent-text)}
button.text:hover{background:var(--accent-soft)}
:focus-visible{outline:2px solid var(--accent-text);outline-offset:2px}
.who{display:flex;align-items:center;gap:10px;margin:18px 0 16px;padding:6px 12px;min-height:50px;
border-radius:10px;background:var(--sunken)}
.who p{flex:1;min-width:0;font-size:12.5px;line-height:1.35;color:var(--ink-2)}
.who strong{display:block;font-size:14px;font-weight:570;overflow-wrap:anywhere}
ul{list-style:none;padding:0;margin-top:8px}
li{display:grid;grid-template-columns:18px 1fr;gap:10px;padding:6px 0;border-top:1px solid var(--line)}
li:first-child{border-top:0}
li svg{width:18px;height:18px;margin-top:1px;color:var(--accent-text);fill:none;stroke:currentColor;stroke-width:1.8;
stroke-linecap:round;stroke-linejoin:round}
a{color:var(--accent-text);text-underline-offset:2px}
.links{margin-top:14px}
.links a{display:grid;min-height:36px;padding:9px 8px;margin:0 -8px;border-radius:9px;color:inherit;text-decoration:none}
.links a:hover{background:var(--accent-soft);color:var(--accent-text)}
.links strong{font-weight:570}
.links span{font-size:12.5px;color:var(--ink-2)}
.device{margin-top:16px;padding:12px;border-radius:10px;background:var(--sunken);font-size:13px;color:var(--ink-2);text-align:center}
.shown{margin:4px 0;font:600 24px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.08em;color:var(--ink)}
input.code{height:52px;text-align:center;text-transform:uppercase;letter-spacing:.12em;
font:600 20px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.small{margin-top:14px;font-size:12.5px;color:var(--ink-2);overflow-wrap:anywhere}
code{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.detail{margin-top:18px;padding:10px 12px;border-radius:10px;background:var(--sunken);font-size:12.5px;color:var(--ink-2)}
.detail code{display:block;color:var(--ink)}
@media(max-width:480px){.card{padding:22px 20px}main{margin-top:0}}
@media(prefers-reduced-motion:reduce){*{transition:none}}
`;
