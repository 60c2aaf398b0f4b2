export { capture } from './capture';
export { embed } from './embed';
export { proposal } from './proposal';
export { redistill } from './redistill';
export { reembed } from './reembed';
export { seal } from './seal';
export { sweep } from './sweep';
